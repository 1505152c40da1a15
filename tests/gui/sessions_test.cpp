// A session is recorded as received, and the same views show it again; an invalid, cut or foreign file is reported in
// words.
#include "tests/gui/picture.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/app/main_window.h"
#include "wall-control/events/event_log.h"
#include "wall-control/sessions/session_bar.h"
#include "wall-control/ui/palette.h"
#include "wall-control/wallview/wall_view.h"

#include <QApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace lw;

namespace {

using Kind = SessionEntry::Kind;

// A minute of a 2x2 wall that loses packets in its middle, as a server would have sent it.
QByteArray minute() {
  const auto info = wall_info(2, 2, 2);
  QByteArray lines = to_line(session_head(figures_begin_ms, "127.0.0.1:9010")) + '\n';
  const auto add = [&](Kind kind, qint64 tenth, const QJsonObject& body) {
    lines += to_line({kind, figures_begin_ms + 100 * tenth, body}) + '\n';
  };
  add(Kind::info, 0, info);
  add(Kind::state, 0,
      {{"status", "playing"}, {"name", "alpha"}, {"frame", 1}, {"frames", 90}, {"frame_rate", "30"}, {"rate", 1.0}});
  for (int tenth = 0; tenth < 600; ++tenth) {
    add(Kind::stats, tenth, wall_stats(info, tenth, 5, std::clamp(tenth - 300, 0, 30)));
    if (tenth == 310)
      add(Kind::event, tenth,
          {{"seq", 1},
           {"time", time_of_tenth(310)},
           {"severity", "warning"},
           {"code", "loss-began"},
           {"text", "flow 5 loses"}});
  }
  return lines;
}

// A disk with this much space left.
class SmallDisk : public QIODevice {
public:
  explicit SmallDisk(qint64 room) : room_(room) { open(QIODevice::WriteOnly | QIODevice::Unbuffered); }

protected:
  qint64 readData(char*, qint64) override { return -1; }
  qint64 writeData(const char*, qint64 size) override {
    if (size > room_) {
      setErrorString("No space left on device");
      return -1;
    }
    room_ -= size;
    return size;
  }

private:
  qint64 room_;
};

}  // namespace

class SessionsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString write(const QString& name, const QByteArray& content) {
    QFile file(folder_.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(content);
    return file.fileName();
  }
  QString problem(const QByteArray& content) {
    const auto reader = SessionReader::open(write("problem.ndjson", content));
    return reader ? QString() : QString::fromStdString(reader.error().text());
  }

private slots:
  void initTestCase() {
    qputenv("XDG_CONFIG_HOME", folder_.path().toUtf8());
    QApplication::setStyle("Fusion");
    QApplication::setPalette(colors::palette());
  }

  void what_is_heard_is_recorded() {
    const auto place = folder_.filePath("recorded");
    ControlLink link;
    Recorder recorder(link);
    QCOMPARE(recorder.start(place, "127.0.0.1:9010"), QString());
    const auto info = wall_info(1, 1, 1);
    emit link.told("info", info);
    emit link.told("stats", wall_stats(info, 0));
    emit link.told("event", {{"text", "a"}});
    emit link.told("state", {{"status", "stopped"}});
    QCOMPARE(recorder.statistics(), 1);
    recorder.stop();
    emit link.told("stats", wall_stats(info, 1));
    auto reader = *SessionReader::open(place);
    QCOMPARE(reader->size(), std::size_t{5});
    QCOMPARE(reader->at(0).body["server"].toString(), "127.0.0.1:9010");
    QCOMPARE(reader->at(1).body, info);
    QCOMPARE(reader->at(2).body, wall_stats(info, 0));
    QCOMPARE(reader->kind_of(3), Kind::event);
    QCOMPARE(reader->kind_of(4), Kind::state);
    QVERIFY(recorder.start(place).contains("already"));
    QVERIFY(!recorder.recording());
    QVERIFY(recorder.start(write("a-file", {})).contains("cannot write"));
  }

  void a_full_disk_ends_it_in_words() {
    QString told;
    std::mutex mutex;
    {
      SessionWriter writer(std::make_unique<SmallDisk>(100), [&](const QString& words) {
        const std::lock_guard lock(mutex);
        told = words;
      });
      QVERIFY(writer.write(QByteArray(50, 'x')));
      writer.write(QByteArray(90, 'x'));
      QVERIFY(QTest::qWaitFor([&] { return !writer.write("y"); }, 5000));
    }
    QCOMPARE(told, QString("No space left on device"));
  }

  void the_same_views_show_it_again() {
    const auto path = write("minute.ndjson", minute());
    MainWindow window;
    window.resize(1280, 720);
    window.show();
    QCOMPARE(window.player().open(path), QString());
    QTRY_VERIFY(window.findChild<EventLog*>()->model().rowCount() > 0);
    auto* wall = window.findChild<WallView*>();
    QTRY_VERIFY2(wall->words_of(0, 0).contains("frame 599"), qPrintable(wall->words_of(0, 0)));
    QCOMPARE(window.player().length_ms(), 59'900);
    QTest::qWait(100);
    QVERIFY(window.grab().save(test::picture("sessions.png")));
    // Back to before the loss: it has not happened yet.
    auto* position = window.findChild<QSlider*>("session-position");
    QVERIFY(position->isVisible());
    position->setValue(200);
    QTRY_VERIFY(wall->words_of(0, 0).contains("frame 200"));
    QCOMPARE(window.findChild<EventLog*>()->model().rowCount(), 0);
    window.player().set_speed(60);
    window.player().play(true);
    QTRY_VERIFY_WITH_TIMEOUT(wall->words_of(0, 0).contains("frame 599"), 10'000);
    QTRY_VERIFY(!window.player().playing());
    window.player().close();
    QVERIFY(!position->isVisible());
    QCOMPARE(window.findChild<EventLog*>()->model().rowCount(), 0);
  }

  void another_session_replaces_the_open_one() {
    MainWindow window;
    QCOMPARE(window.player().open(write("minute.ndjson", minute())), QString());
    auto* wall = window.findChild<WallView*>();
    QTRY_VERIFY(wall->words_of(1, 1).contains("frame 599"));
    const auto info = wall_info(1, 1, 1);
    const auto at = [](Kind kind, const QJsonObject& body) {
      return to_line({kind, figures_begin_ms + 3'600'000, body}) + '\n';
    };
    const auto later = to_line(session_head(figures_begin_ms + 3'600'000, "127.0.0.1:9010")) + '\n' +
                       at(Kind::info, info) + at(Kind::stats, wall_stats(info, 7));
    QCOMPARE(window.player().open(write("later.ndjson", later)), QString());
    QTRY_VERIFY(wall->words_of(0, 0).contains("frame 7"));
    QCOMPARE(wall->tiles().size(), 1U);
    QCOMPARE(window.findChild<EventLog*>()->model().rowCount(), 0);
  }

  // tests/compat/README.md describes how it was made. ctest names the folder.
  void what_an_earlier_build_recorded_is_shown() {
    const auto path = qEnvironmentVariable("LW_COMPAT") + "/session.ndjson";
    QFile file(path);
    QVERIFY2(file.open(QIODevice::ReadOnly), "LW_COMPAT is not the folder tests/compat");
    auto reader = SessionReader::open(path);
    QVERIFY2(reader, reader ? "" : reader.error().text().c_str());
    QVERIFY(!(*reader)->cut());
    std::map<Kind, int> counts;
    for (std::size_t number = 0; number < (*reader)->size(); ++number) {
      const auto entry = (*reader)->at(number);
      const auto line = QJsonDocument::fromJson(file.readLine()).object();
      ++counts[entry.kind];
      QCOMPARE(entry.time_ms, line["t_ms"].toInteger());
      QVERIFY(std::ranges::any_of(line, [&](const QJsonValue& value) { return value.toObject() == entry.body; }));
    }
    QVERIFY(file.atEnd());
    QCOMPARE(counts, (std::map<Kind, int>{{Kind::session, 1},
                                          {Kind::info, 1},
                                          {Kind::library, 1},
                                          {Kind::state, 7},
                                          {Kind::stats, 21},
                                          {Kind::event, 3}}));
    MainWindow window;
    QCOMPARE(window.player().open(path), QString());
    auto* wall = window.findChild<WallView*>();
    QTRY_VERIFY2(wall->words_of(1, 0).contains("frame"), qPrintable(wall->words_of(1, 0)));
    QCOMPARE(window.player().length_ms(), (*reader)->time_of((*reader)->size() - 1) - (*reader)->time_of(0));
    QTRY_VERIFY(window.findChild<EventLog*>()->model().rowCount() >= 3);  // and alarms, which the rules raise again
  }

  void a_cut_last_line_is_left_out() {
    auto content = minute();
    content.chop(50);
    const auto reader = SessionReader::open(write("cut.ndjson", content));
    QVERIFY(reader);
    QVERIFY((*reader)->cut());
    QCOMPARE((*reader)->size(), std::size_t{603});
  }

  void what_is_no_session_is_told() {
    QVERIFY(problem({}).contains("empty"));
    QVERIFY(problem("hello\n").contains("problem.ndjson:1"));
    QVERIFY(problem("hello").contains("problem.ndjson:1"));
    QVERIFY(problem("{\"t_ms\": 1, \"stats\": {}}\n").contains("begin"));
    QVERIFY(problem("{\"t_ms\": 1, \"session\": {\"version\": 2}}\n").contains("version 2"));
    const auto head = to_line(session_head(1, "a")) + '\n';
    QVERIFY(problem(head + "{\"t_ms\": 1}\n" + head).contains(":2: no line of a session"));
    QVERIFY(problem(head + "{\"t_ms\": 1, \"stats\": 5}\n" + head).contains(":2"));
    QVERIFY(problem(head + QByteArray(session_line_max + 10, ' ') + '\n' + head).contains(":2: the line is too long"));
    QCOMPARE(problem(head), QString());
    QVERIFY(
        QString::fromStdString(SessionReader::open(folder_.filePath("none")).error().text()).contains("cannot read"));
    MainWindow window;
    QVERIFY(!window.player().open(folder_.filePath("none")).isEmpty());
    QVERIFY(!window.player().is_open());
  }
};

QTEST_MAIN(SessionsTest)
#include "sessions_test.moc"
