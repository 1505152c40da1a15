// The event log: each of the server's events appears once, can be filtered and copied, and leads to its time.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_delegate.h"
#include "wall-control/events/event_log.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lw;

namespace {

QJsonObject told(int number, const QString& severity, const QString& text, const QString& node = {}) {
  QJsonObject json{{"seq", number},
                   {"time", QString("2026-01-31T12:00:%1.000Z").arg(number % 60, 2, 10, QChar('0'))},
                   {"severity", severity},
                   {"code", "loss-began"},
                   {"text", text}};
  if (!node.isEmpty()) json["node"] = node;
  return json;
}

QAction* node_choice(EventLog& log, const QString& text) {
  for (auto* action : log.findChild<QAction*>("event-filter")->menu()->actions())
    if (action->text() == text) return action;
  return nullptr;
}

void fill(EventLog& log) {
  log.add(*read_event(told(1, "info", "loaded cosmos")));
  auto lossy = told(2, "warning", "flow 3 loses packets", "left");
  lossy["tile"] = QJsonArray{0, 1};
  lossy["flow"] = 3;
  log.add(*read_event(lossy));
  log.add(*read_event(told(3, "error", "node right: connection closed", "right")));
}

}  // namespace

class EventsTest : public QObject {
  Q_OBJECT

private slots:
  void an_event_says_when_where_and_what() {
    auto json = told(7, "warning", "flow 3 loses packets", "left");
    json["tile"] = QJsonArray{0, 1};
    json["flow"] = 3;
    const auto read = read_event(json);
    QVERIFY(read);
    QCOMPARE(read->severity, Severity::warning);
    QCOMPARE(place_of(*read), QString("node left, tile 0,1, flow 3"));
    QCOMPARE(to_json(*read), json);
  }

  void what_is_shown_is_saved_for_programs() {
    const QTemporaryDir folder;
    EventLog log;
    fill(log);
    const auto content = [&](const QString& name) {
      QFile file(folder.filePath(name));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(log.save(folder.filePath("events.csv")), QString());
    const auto lines = content("events.csv").split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith("Time,Severity,"));
    QCOMPARE(lines[2].trimmed(),
             R"(2026-01-31T12:00:02.000Z,warning,"node left, tile 0,1, flow 3",loss-began,flow 3 loses packets)");
    log.findChild<QLineEdit*>()->setText("right");
    QCOMPARE(log.save(folder.filePath("events.json")), QString());
    const auto saved = QJsonDocument::fromJson(content("events.json")).array();
    QCOMPARE(saved.size(), 1);
    QCOMPARE(saved[0].toObject(), told(3, "error", "node right: connection closed", "right"));
    QVERIFY(log.save(folder.filePath("events.txt")).contains(".csv"));
    QVERIFY(log.save(folder.filePath("none/events.json")).contains("cannot write"));
    QVERIFY(log.findChild<QAction*>("save-events") != nullptr);
  }

  void what_is_no_event_is_none() {
    QVERIFY(!read_event({}));
    QVERIFY(!read_event({{"time", "yesterday"}, {"text", "a"}}));
    QVERIFY(!read_event({{"time", "2026-01-31T12:00:00.000Z"}, {"text", 5}}));
    QCOMPARE(read_event({{"time", "2026-01-31T12:00:00.000Z"}, {"text", "a"}, {"tile", "x"}, {"flow", "y"}})->flow,
             std::nullopt);
  }

  void the_model_is_bounded_and_knows_what_it_has() {
    EventModel model;
    {
      const QAbstractItemModelTester tester(&model);
      QVERIFY(model.add(*read_event(told(1, "info", "a"))));
      QVERIFY(!model.add(*read_event(told(1, "info", "a"))));
      QVERIFY(model.add(*read_event(told(61, "info", "the same second"))));
    }
    for (int i = 0; i < EventModel::events_max; ++i) model.add(own_event(Severity::info, "x", QString::number(i)));
    QCOMPARE(model.rowCount(), EventModel::events_max);
    QCOMPARE(model.at(0).text, QString("0"));
  }

  void filters_go_together() {
    EventLog log;
    fill(log);
    const QAbstractItemModelTester tester(&log.shown());
    QCOMPARE(log.shown().rowCount(), 3);
    QCOMPARE(log.findChild<QAction*>("event-faults")->text(), QString("1"));
    QCOMPARE(log.findChild<QAction*>("event-warnings")->toolTip(), QString("1 warning; show faults and warnings only"));
    log.findChild<QAction*>("event-warnings")->trigger();
    QCOMPARE(log.shown().rowCount(), 2);
    log.findChild<QAction*>("event-faults")->trigger();
    QCOMPARE(log.shown().rowCount(), 1);
    QVERIFY(!log.findChild<QAction*>("event-warnings")->isChecked());
    log.findChild<QAction*>("event-warnings")->trigger();
    node_choice(log, "left")->trigger();
    QCOMPARE(log.shown().rowCount(), 1);
    node_choice(log, "Every node")->trigger();
    log.findChild<QLineEdit*>()->setText("CLOSED");
    QCOMPARE(log.shown().rowCount(), 1);
    QCOMPARE(log.shown().index(0, EventModel::text).data().toString(), QString("node right: connection closed"));
    log.findChild<QLineEdit*>()->setText("tile 0,1");
    QCOMPARE(log.shown().rowCount(), 1);
    log.findChild<QLineEdit*>()->clear();
    const auto third = log.model().at(2).time_ms;
    log.set_times(EventFilter::Times{third - 10, third + 10});
    QCOMPARE(log.shown().rowCount(), 1);
    QVERIFY2(log.note().contains("1 of 3"), qPrintable(log.note()));
    log.set_times(std::nullopt);
    QCOMPARE(log.shown().rowCount(), 2);
  }

  void keys_copy_and_find() {
    EventLog log;
    fill(log);
    log.show();
    auto* list = log.findChild<QListView*>("events");
    list->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&log));
    const QSignalSpy chosen(&log, &EventLog::moment_chosen);
    // The newest is first, and has the keyboard.
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(list, Qt::Key_N);
    QCOMPARE(list->currentIndex().row(), 1);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toLongLong(), log.model().at(1).time_ms);
    QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
    const auto copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count('\n'), 1);
    QVERIFY(copied.contains("\tnode left, tile 0,1, flow 3\tloss-began\tflow 3 loses packets"));
    QTest::keyClick(list, Qt::Key_N);
    QCOMPARE(list->currentIndex().row(), 1);
    QTest::keyClick(list, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(list->currentIndex().row(), 0);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(chosen.last()[0].toLongLong(), log.model().at(2).time_ms);
  }

  // It stopped following when it was hidden and came back at another size, as by F11 and back.
  void the_newest_is_seen_after_going_away_and_back() {
    EventLog log;
    log.resize(430, 200);
    log.show();
    auto* list = log.findChild<QListView*>("events");
    const auto add = [&](int count) {
      for (int i = 0; i < count; ++i) log.add(own_event(Severity::info, "x", QString::number(log.model().rowCount())));
    };
    const auto sees_newest = [&] {
      const auto newest = log.shown().index(0, 0);
      return newest.siblingAtColumn(EventModel::text).data().toString() ==
                 QString::number(log.model().rowCount() - 1) &&
             list->viewport()->rect().contains(list->visualRect(newest));
    };
    add(50);
    QTRY_VERIFY(sees_newest());
    log.hide();
    add(5);
    log.resize(300, 500);
    log.show();
    QTRY_VERIFY(sees_newest());
    log.resize(430, 200);
    add(1);
    QTRY_VERIFY(sees_newest());
    // Whoever reads older ones goes on seeing them.
    list->verticalScrollBar()->setValue(300);
    const auto read = list->indexAt(QPoint(20, 60)).siblingAtColumn(EventModel::text).data().toString();
    add(3);
    QTest::qWait(50);
    QCOMPARE(list->indexAt(QPoint(20, 60)).siblingAtColumn(EventModel::text).data().toString(), read);
    list->verticalScrollBar()->setValue(0);
    add(1);
    QTRY_VERIFY(sees_newest());
  }

  void rows_have_two_lines_where_they_are_narrow() {
    QVERIFY(EventDelegate::in_two_lines(300));
    QVERIFY(!EventDelegate::in_two_lines(1000));
    QVERIFY(EventDelegate::row_height(300) > EventDelegate::row_height(1000));
    auto json = told(7, "warning", "flow 3 loses packets", "left");
    QCOMPARE(where_of(*read_event(json)), QString("left"));
    json["tile"] = QJsonArray{0, 1};
    QCOMPARE(where_of(*read_event(json)), QString("Tile 0,1"));
    QCOMPARE(state_of(*read_event(json)), State::warn);
    json["severity"] = "info";
    json["code"] = "loss-ended";
    QCOMPARE(state_of(*read_event(json)), State::ok);
  }

  void an_empty_list_says_what_to_do() {
    EventLog log;
    log.show();
    const QSignalSpy rules(&log, &EventLog::alarm_rules_wanted);
    auto* button = log.findChild<QPushButton*>("empty-action");
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(rules.count(), 1);
    fill(log);
    log.findChild<QLineEdit*>()->setText("no such thing");
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(log.shown().rowCount(), 3);
    QVERIFY(!button->isVisible());
  }

  void the_window_shows_what_the_server_and_itself_tell() {
    QApplication::setPalette(colors::palette());
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    auto* log = window.findChild<EventLog*>();
    emit window.link().happened(event_from(told(4, "warning", "flow 2 loses packets", "left")).value());
    emit window.link().happened(event_from(told(4, "warning", "flow 2 loses packets", "left")).value());
    emit window.link().happened(event_from({{"time", "yesterday"}, {"text", "garbage"}}).value());
    QCOMPARE(log->model().rowCount(), 1);
    window.link().call("play");  // not connected
    QCOMPARE(log->model().rowCount(), 2);
    QCOMPARE(log->model().at(1).severity, Severity::error);
    QVERIFY(log->model().at(1).text.startsWith("play: "));
    QTest::qWait(50);
    QVERIFY(window.grab().save(test::picture("events.png")));
  }
};

QTEST_MAIN(EventsTest)
#include "events_test.moc"
