// A server and a recording of it are sources of the same kind: whatever is connected to either shows the same, and a
// switch passes on what one of them sends.
#include "common/messages/stats_tables.h"
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/wall_figures.h"
#include "wall-control/events/event_model.h"
#include "wall-control/link/control_link.h"
#include "wall-control/messages/telemetry_switch.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/library_model.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/sessions/recorder.h"
#include "wall-control/sessions/session_player.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lw;

namespace {

// The models of a window, connected to a source.
struct Models {
  explicit Models(const TelemetrySource& source) {
    QObject::connect(&source, &TelemetrySource::began, &owner, [this] {
      history.clear();
      status = {};
      events.clear();
    });
    QObject::connect(&source, &TelemetrySource::ready, &owner, [this](const InfoReply& info) {
      history.set_wall(info.wall);
      status.set_wall(info.wall);
    });
    QObject::connect(&source, &TelemetrySource::library, &owner,
                     [this](const LibraryReply& all) { library.set_visualizations(all.visualizations); });
    QObject::connect(&source, &TelemetrySource::play_state, &owner,
                     [this](const StateMessage& state) { status.set_state(state); });
    QObject::connect(&source, &TelemetrySource::stats, &owner, [this](const Stats& stats) {
      history.add(stats);
      status.add(stats);
    });
    QObject::connect(&source, &TelemetrySource::happened, &owner, [this](const EventMessage& message) {
      if (const auto event = to_event(message)) events.add(*event);
    });
  }

  // What they show, one line each.
  [[nodiscard]] QStringList lines() const {
    QStringList lines;
    for (const auto& flow : history.flows())
      lines << QString("flow %1 of %2: %3 lost, jitter %4 us")
                   .arg(flow.flow)
                   .arg(flow.node)
                   .arg(flow.lost)
                   .arg(flow.jitter_us.value_or(-1));
    for (const auto& tile : history.tiles())
      lines << QString("tile %1,%2: frame %3, pattern %4")
                   .arg(tile.column)
                   .arg(tile.row)
                   .arg(tile.frame.value_or(-1))
                   .arg(status.overlay(tile.column, tile.row).pattern);
    lines << QString("skew %1 us, %2").arg(history.wall().skew_us_p50.value_or(-1)).arg(status.stopped());
    if (const auto* node = status.node("one")) lines << QString("node one: %1").arg(node->connected);
    for (int row = 0; row < library.rowCount(); ++row) lines << badge_text(library.row(row));
    for (const auto& event : events.events()) lines << event.text;
    return lines;
  }

  QObject owner;
  FlowHistory history;
  WallStatus status;
  LibraryModel library;
  EventModel events;
};

// As a server sends statistics that changed, or all of them.
QByteArray message_of(StatsTablesSender& sender, const QJsonObject& stats, bool full) {
  sender.put(stats_from(stats).value(), true);
  const auto differences = sender.take_differences();
  return QByteArray::fromStdString(full ? sender.full() : differences);
}

}  // namespace

class SourceTest : public QObject {
  Q_OBJECT

private slots:
  void a_server_and_its_recording_show_the_same_data() {
    QTest::addColumn<bool>("tables");
    QTest::newRow("statistics in JSON") << false;
    QTest::newRow("statistics in tables") << true;
  }
  void a_server_and_its_recording_show_the_same() {
    QFETCH(const bool, tables);
    const QTemporaryDir folder;
    FakeServer server;
    auto info = wall_info(2, 2, 2);
    if (tables) info["methods"] = QJsonArray{"telemetry"};
    server.results["info"] = info;
    ControlLink link;
    Models live(link);
    Recorder recorder(link);
    QCOMPARE(recorder.start(folder.filePath("session"), server.address()), QString());
    const QSignalSpy drawn(&link, &TelemetrySource::caught_up);
    link.connect_to(server.address());
    QVERIFY(server.was_asked("subscribe", tables ? QJsonObject{{"stats", false}} : QJsonObject()));
    link.ask_for_library();
    auto state = playing_state;
    state["overlays"] = QJsonArray{QJsonObject{{"tile", QJsonArray{1, 0}}, {"pattern", "grid"}}};
    server.tell("state", state);
    server.tell("event", {{"seq", 1}, {"time", time_of_tenth(3)}, {"code", "loss-began"}, {"text", "flow 5 loses"}});
    StatsTablesSender sender(true);
    for (int tenth = 0; tenth < 30; ++tenth) {
      const auto stats = wall_stats(info, tenth, 5, tenth);
      tables ? server.send_bytes(message_of(sender, stats, tenth == 0)) : server.tell("stats", stats);
    }
    QTRY_COMPARE(drawn.count(), 30);
    QTRY_COMPARE(live.library.rowCount(), 2);
    const auto shown = live.lines();
    for (const auto* line : {"flow 5 of one: 29 lost, jitter 25 us", "tile 1,0: frame 29, pattern grid",
                             "tile 0,1: frame 29, pattern none", "skew 50 us, 0", "node one: 1", "flow 5 loses"})
      QVERIFY2(shown.contains(line), line);
    QCOMPARE(recorder.statistics(), 30);
    recorder.stop();

    SessionPlayer player;
    Models recorded(player);
    const QSignalSpy began(&player, &TelemetrySource::began);
    QCOMPARE(player.open(folder.filePath("session")), QString());
    QTRY_COMPARE(recorded.lines(), shown);
    QCOMPARE(began.count(), 1);
  }

  // A message that is damaged or missing is asked for again once; texts in tables are made printable.
  void tables_are_complete_again_after_a_gap() {
    FakeServer server;
    auto info = wall_info(2, 2, 2);
    info["methods"] = QJsonArray{"telemetry"};
    server.results["info"] = info;
    ControlLink link;
    Models live(link);
    const QSignalSpy drawn(&link, &TelemetrySource::caught_up), failed(&link, &ControlLink::call_failed);
    std::vector<std::string> times;
    connect(&link, &TelemetrySource::stats, this,
            [&](const Stats& stats) { times.push_back(stats.time.value_or("")); });
    link.connect_to(server.address());
    const auto asked = [&] { return server.calls.count({"telemetry", QJsonObject{{"flows_every", 1}}}); };
    QTRY_COMPARE(asked(), 1);
    StatsTablesSender sender(true);
    auto stats = wall_stats(info, 1, 5, 1);
    stats["time"] = "now\u001b[2J";
    server.send_bytes(message_of(sender, stats, true));
    QTRY_COMPARE(drawn.count(), 1);
    QCOMPARE(times.front(), std::string("now\\u001b[2J"));
    message_of(sender, wall_stats(info, 2, 5, 2), false);  // lost
    for (int tenth = 3; tenth < 6; ++tenth)
      server.send_bytes(message_of(sender, wall_stats(info, tenth, 5, tenth), false));
    server.send_bytes("\x9f junk");
    QTRY_COMPARE(asked(), 2);
    QTest::qWait(50);
    QCOMPARE(asked(), 2);
    QCOMPARE(drawn.count(), 1);
    server.send_bytes(message_of(sender, wall_stats(info, 7, 5, 7), true));
    QTRY_COMPARE(drawn.count(), 2);
    QVERIFY(live.lines().contains("flow 5 of one: 7 lost, jitter 25 us"));
    for (const auto& words : failed) QVERIFY2(words[0].toString() == "stats", qPrintable(words[1].toString()));
    server.send_bytes("junk");
    QTRY_COMPARE(asked(), 3);
    link.want_pictures(true);
    QVERIFY(server.was_asked("subscribe", {{"pictures", true}, {"stats", false}}));
  }

  void a_switch_passes_on_one_source() {
    ControlLink link;
    SessionPlayer player;
    TelemetrySwitch source(link);
    const QSignalSpy began(&source, &TelemetrySource::began), drawn(&source, &TelemetrySource::caught_up);
    emit link.caught_up();
    emit player.caught_up();
    QCOMPARE(drawn.count(), 1);
    source.use(link);  // as before
    QCOMPARE(began.count(), 0);
    source.use(player);
    QVERIFY(source.uses(player) && !source.uses(link));
    QCOMPARE(began.count(), 1);
    emit link.caught_up();
    QCOMPARE(drawn.count(), 1);
    emit player.caught_up();
    QCOMPARE(drawn.count(), 2);
  }
};

QTEST_MAIN(SourceTest)
#include "source_test.moc"
