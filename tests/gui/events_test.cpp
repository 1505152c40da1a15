// The event log: each of the server's events appears once, can be filtered and copied, and leads to its time.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_log.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

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
    log.findChild<QComboBox*>()->setCurrentIndex(0);
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
    QVERIFY(log.findChild<QToolButton*>("save-events") != nullptr);
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
    log.findChildren<QComboBox*>()[1]->setCurrentIndex(1);
    QCOMPARE(log.shown().rowCount(), 2);
    log.findChildren<QComboBox*>()[0]->setCurrentText("left");
    QCOMPARE(log.shown().rowCount(), 1);
    log.findChildren<QComboBox*>()[0]->setCurrentIndex(0);
    log.findChild<QLineEdit*>()->setText("CLOSED");
    QCOMPARE(log.shown().rowCount(), 1);
    QCOMPARE(log.shown().index(0, EventModel::text).data().toString(), QString("node right: connection closed"));
    log.findChild<QLineEdit*>()->setText("tile 0,1");
    QCOMPARE(log.shown().rowCount(), 1);
    log.findChild<QLineEdit*>()->clear();
    const auto third = log.model().at(2).time_ms;
    log.set_times(EventFilter::Times{third - 10, third + 10});
    QCOMPARE(log.shown().rowCount(), 1);
    QVERIFY(log.findChild<QLabel*>("event-count")->text().contains("1 of 3"));
    log.set_times(std::nullopt);
    QCOMPARE(log.shown().rowCount(), 2);
  }

  void keys_copy_and_find() {
    EventLog log;
    fill(log);
    log.show();
    auto* table = log.findChild<QTableView*>("events");
    table->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&log));
    const QSignalSpy chosen(&log, &EventLog::moment_chosen);
    QTest::keyClick(table, Qt::Key_N);
    QCOMPARE(table->currentIndex().row(), 1);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toLongLong(), log.model().at(1).time_ms);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const auto copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.count('\n'), 1);
    QVERIFY(copied.contains("\tnode left, tile 0,1, flow 3\tloss-began\tflow 3 loses packets"));
    QTest::keyClick(table, Qt::Key_N);
    QCOMPARE(table->currentIndex().row(), 2);
    QTest::keyClick(table, Qt::Key_N);
    QCOMPARE(table->currentIndex().row(), 2);
    QTest::keyClick(table, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(table->currentIndex().row(), 1);
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
