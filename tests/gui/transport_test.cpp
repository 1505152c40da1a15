// The transport: the timeline shows the requested frame, the tiles' frames and where incidents happened; the ends of
// the loop are set by keyboard and by mouse.
#include "tests/gui/as_read.h"
#include "tests/gui/picture.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/app/toast.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/media_time.h"
#include "wall-control/playlist/playlist_panel.h"
#include "wall-control/transport/play_button.h"
#include "wall-control/transport/position_text.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/transport/transport_panel.h"
#include "wall-control/transport/volume_button.h"
#include "wall-control/ui/elided_label.h"

#include <QAction>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

#include <algorithm>
#include <memory>

using namespace lw;

namespace {

struct TileCounts {
  int frame = 0, repaired = 0, late = 0, concealed = 0, not_shown = 0;
};

QJsonObject stats(const TileCounts& left, const TileCounts& right) {
  QJsonArray tiles;
  QJsonArray flows;
  for (int i = 0; i < 2; ++i) {
    const auto& counts = i == 0 ? left : right;
    tiles << QJsonObject{{"tile", QJsonArray{i, 0}},
                         {"frame", counts.frame},
                         {"shown_repaired", counts.repaired},
                         {"late", counts.late},
                         {"shown_concealed", counts.concealed},
                         {"not_shown", counts.not_shown}};
    flows << QJsonObject{{"flow", i}, {"receiving", true}};
  }
  return {{"interval_s", 0.1},
          {"nodes",
           QJsonArray{QJsonObject{
               {"node", "one"}, {"connected", true}, {"report", QJsonObject{{"flows", flows}, {"tiles", tiles}}}}}}};
}

QJsonObject playing(const QString& name, int frame) {
  return {{"status", "playing"}, {"name", name}, {"frame", frame}, {"frames", 300},
          {"frame_rate", "30"},  {"rate", 1.0},  {"loop", true}};
}

WallInfo wall() { return read_info({{"wall", test::ScriptedServer::wall()}}).wall; }

}  // namespace

class TransportTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;
  TimelineBar* timeline() { return window_->findChild<TimelineBar*>(); }
  const PositionText::Words& position() { return window_->findChild<PositionText*>()->words(); }
  QString next_up() { return static_cast<ElidedLabel*>(window_->findChild<QWidget*>("next-up"))->text(); }
  bool describes(const QString& words) { return timeline()->accessibleDescription().contains(words); }
  QAction* action(const QString& text) {
    for (auto* action : window_->actions())
      if (action->text() == text) return action;
    return nullptr;
  }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    window_ = std::make_unique<MainWindow>();
    window_->show();
    window_->connect_to(server_->address());
    QVERIFY(server_->was_asked("subscribe"));
    server_->tell("state", playing("waves", 100));
    QTRY_COMPARE(timeline()->asked(), 100);
    server_->calls.clear();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void what_is_asked_and_what_is_shown_are_told_apart() {
    server_->tell("stats", stats({94}, {96}));
    QTRY_VERIFY2(describes("frame 100 of 300, tiles show frames 94 to 96"),
                 qPrintable(timeline()->accessibleDescription()));
    QTRY_COMPARE(position().warning, QString("Tiles are 2 frames apart"));
    QVERIFY(timeline()->asked_elsewhere());
    server_->tell("stats", stats({97}, {98}));
    QTRY_VERIFY(describes("tiles show frames 97 to 98"));
    QTRY_VERIFY(position().warning.isEmpty());  // one frame apart is usual
    server_->tell("stats", stats({99}, {99}));
    QTRY_VERIFY(describes("tiles show frame 99"));
    QVERIFY(!timeline()->asked_elsewhere());
    QTRY_VERIFY_WITH_TIMEOUT(!describes("tiles show"), 3000);  // statistics stopped
    QCOMPARE(position().frame, QString("frame 100 of 300"));
    QCOMPARE(position().time, QString("0:03.3"));
    QCOMPARE(position().length, QString("0:10.0"));
  }

  void the_volume_is_that_of_the_wall() {
    auto* volume = window_->findChild<VolumeButton*>();
    QVERIFY(!volume->isVisible());  // no node plays sound
    auto state = playing("waves", 100);
    state["sound"] = QJsonObject{{"gain_db", -12.0}, {"muted", false}};
    server_->tell("state", state);
    QTRY_VERIFY(volume->isVisible());
    QCOMPARE(volume->words(), QString("-12 dB"));
    auto* slider = volume->menu()->findChild<QSlider*>("volume-slider");
    QCOMPARE(slider->value(), -12);
    QVERIFY(server_->calls.isEmpty());  // what the server says is not answered
    slider->setValue(-20);
    QVERIFY(server_->was_asked("sound", {{"gain_db", -20}}));
    QTest::keyClick(window_.get(), Qt::Key_M, Qt::ShiftModifier);
    QVERIFY(server_->was_asked("sound", {{"muted", true}}));
    state["sound"] = QJsonObject{{"gain_db", -20.0}, {"muted", true}};
    server_->tell("state", state);
    QTRY_COMPARE(volume->words(), QString("-20 dB, muted"));
    // The loudest node counts.
    auto told = stats({94}, {96});
    auto node = told["nodes"][0].toObject();
    auto report = node["report"].toObject();
    auto* meter = volume->menu()->findChild<QWidget*>("level-meter");
    QTRY_COMPARE(meter->accessibleDescription(), QString("nothing plays"));
    report["sound"] = QJsonObject{{"played", 100}, {"lost", 0}, {"peak_dbfs", -3.2}};
    node["report"] = report;
    told["nodes"] = QJsonArray{node};
    server_->tell("stats", told);
    QTRY_COMPARE(meter->accessibleDescription(), QString("-3 dB"));
    volume->menu()->popup(volume->mapToGlobal(QPoint(0, volume->height())));
    QVERIFY(volume->menu()->grab().save(test::picture("volume.png")));
    volume->menu()->hide();
  }

  void what_is_asked_follows_the_statistics() {
    auto told = stats({103}, {103});
    told["wall"] = QJsonObject{{"frame", 105}};
    server_->tell("stats", told);
    QTRY_COMPARE(timeline()->asked(), 105);
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_Right);
    QVERIFY(
        server_->was_asked("seek", {{"frame", 106}}));  // a step from there, not from the state of half a second ago
  }

  void trouble_is_marked_where_it_happened() {
    for (int i = 0; i < 10; ++i) server_->tell("stats", stats({90}, {90}));
    server_->tell("stats", stats({93, 0, 0, 2}, {93}));
    server_->tell("stats", stats({150, 0, 0, 2, 1}, {150, 4, 1}));
    QTRY_VERIFY(describes("1 not shown"));
    QVERIFY(describes("2 concealed"));
    QVERIFY(describes("1 late"));
    QVERIFY(describes("4 repaired"));
    const auto there = timeline()->text_at(timeline()->x_of(92));
    QVERIFY2(there.startsWith("frame 92, 0:03.0"), qPrintable(there));
    QVERIFY2(there.contains("2 concealed") && there.contains("on tiles 0,0"), qPrintable(there));
    QVERIFY(!there.contains("late"));
    const auto jumped = timeline()->text_at(timeline()->x_of(150));
    QVERIFY2(jumped.contains("1 late") && jumped.contains("on tiles 0,0  1,0"), qPrintable(jumped));
    QVERIFY(!timeline()->text_at(timeline()->x_of(120)).contains("late"));
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
      window_->resize(size);
      QVERIFY(window_->grab().save(test::picture(QString("transport-%1.png").arg(size.width()))));
    }
    server_->tell("state", playing("cosmos", 0));
    QTRY_VERIFY(!describes("not shown"));
  }

  // Setting and clearing in and out points was the only change of a range that could not be undone.
  void in_and_out_points_can_be_undone() {
    auto* undo = action("Undo");
    auto* redo = action("Redo");
    QVERIFY(!undo->isEnabled());
    const auto ask = [&](Qt::Key key, const QJsonObject& request) {
      window_->setFocus();
      QTest::keyClick(window_.get(), key);
      QVERIFY(server_->was_asked("loop", request));
      QTRY_VERIFY(undo->isEnabled());
      server_->calls.clear();
    };
    ask(Qt::Key_BracketLeft, {{"loop", true}, {"in", 100}});
    QTRY_COMPARE(window_->findChild<Toast*>()->words(), QString("Set the in point"));
    auto state = playing("waves", 200);
    state["in"] = 100;
    state["out"] = 299;
    server_->tell("state", state);
    QTRY_COMPARE(timeline()->asked(), 200);
    ask(Qt::Key_BracketRight, {{"loop", true}, {"in", 100}, {"out", 200}});
    state["out"] = 200;
    state["frame"] = 150;
    server_->tell("state", state);
    QTRY_COMPARE(timeline()->asked(), 150);
    QVERIFY(action("Clear loop")->isEnabled());
    ask(Qt::Key_Backslash, {{"loop", true}});
    server_->tell("state", playing("waves", 200));
    QTRY_VERIFY(!action("Clear loop")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}, {"out", 200}}));
    undo->trigger();
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}, {"out", 299}}));
    server_->calls.clear();
    redo->trigger();
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}, {"out", 200}}));
    // Another visualization has other frames.
    server_->tell("state", playing("cosmos", 7));
    QTRY_COMPARE(timeline()->asked(), 7);
    server_->calls.clear();
    undo->trigger();
    QTest::qWait(50);
    QVERIFY(!undo->isEnabled());
    QVERIFY(std::ranges::none_of(server_->calls, [](const auto& call) { return call.first == "loop"; }));
  }

  void what_the_server_refused_is_nothing_to_undo() {
    server_->errors["loop"] = "nothing is loaded";
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_BracketLeft);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}}));
    QTest::qWait(50);
    QVERIFY(!action("Undo")->isEnabled());
  }

  // One order for all panels: the newest change is undone first, whichever panel it was made in.
  void undo_goes_back_in_the_order_of_the_changes() {
    auto* panel = window_->findChild<PlaylistPanel*>();
    const auto entries = [&] { return panel->draft().entries().size(); };
    panel->add("one");
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_BracketLeft);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}}));
    QTRY_COMPARE(window_->findChild<Toast*>()->words(), QString("Set the in point"));
    panel->add("two");
    QCOMPARE(window_->findChild<Toast*>()->words(), QString("Added to the playlist"));
    QCOMPARE(entries(), 2);
    server_->calls.clear();
    window_->findChild<Toast*>()->findChild<QPushButton*>()->click();
    QCOMPARE(entries(), 1);
    action("Undo")->trigger();
    QVERIFY(server_->was_asked("loop", {{"loop", true}}));
    QCOMPARE(entries(), 1);
    action("Undo")->trigger();
    QCOMPARE(entries(), 0);
    QVERIFY(!action("Undo")->isEnabled());
  }

  void the_loop_is_set_by_key() {
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_BracketLeft);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}}));
    auto state = playing("waves", 200);
    state["in"] = 100;
    state["out"] = 299;
    server_->tell("state", state);
    QTRY_COMPARE(timeline()->asked(), 200);
    QTRY_VERIFY(describes("in 100, out 299"));
    QTest::keyClick(window_.get(), Qt::Key_BracketRight);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"in", 100}, {"out", 200}}));
    QTest::keyClick(window_.get(), Qt::Key_Home);
    QVERIFY(server_->was_asked("seek", {{"frame", 100}}));
    QTest::keyClick(window_.get(), Qt::Key_Backslash);
    QVERIFY(server_->was_asked("loop", {{"loop", true}}));
  }

  // It played at 2x: the first press of L is forwards at the usual rate, the second doubles it.
  void forwards_from_pause_is_at_the_usual_rate() {
    auto paused = playing("waves", 100);
    paused["status"] = "paused";
    server_->tell("state", paused);
    QTRY_COMPARE(action("Play") != nullptr, true);
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_L);
    QVERIFY(server_->was_asked("rate", {{"rate", 1.0}}));
    QVERIFY(server_->was_asked("play"));
    QVERIFY(!server_->calls.contains({"rate", QJsonObject{{"rate", 2.0}}}));
    server_->tell("state", playing("waves", 101));
    QTRY_COMPARE(action("Pause") != nullptr, true);
    QTest::keyClick(window_.get(), Qt::Key_L);
    QVERIFY(server_->was_asked("rate", {{"rate", 2.0}}));
    paused["rate"] = -2.0;
    server_->tell("state", paused);
    QTRY_COMPARE(action("Play") != nullptr, true);
    QTest::keyClick(window_.get(), Qt::Key_J);
    QVERIFY(server_->was_asked("rate", {{"rate", -1.0}}));
  }

  void a_pressed_control_waits_for_the_server() {
    auto* play = window_->findChild<PlayButton*>();
    const QSignalSpy waiting(window_->findChild<TransportPanel*>(), &TransportPanel::still_waiting);
    play->click();
    QVERIFY(play->is_waiting());
    QVERIFY(server_->was_asked("pause"));
    QTRY_COMPARE_WITH_TIMEOUT(waiting.count(), 1, 4000);
    QCOMPARE(waiting[0][0].toString(), QString("Waiting for the wall to pause"));
    auto state = playing("waves", 100);
    state["status"] = "paused";
    server_->tell("state", state);
    QTRY_VERIFY(!play->is_waiting());
    // A refusal ends it too.
    server_->errors["play"] = "no disk";
    play->click();
    QVERIFY(play->is_waiting());
    QTRY_VERIFY(!play->is_waiting());
    // Copying a request sends nothing, so nothing is waited for.
    play->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QVERIFY(!play->is_waiting());
  }

  void the_loop_shows_what_the_server_has() {
    auto* loop = action("Loop");
    QVERIFY(loop->isChecked());
    loop->trigger();
    QVERIFY(server_->was_asked("loop", {{"loop", false}}));
    QVERIFY(loop->isChecked());
    auto state = playing("waves", 100);
    state["loop"] = false;
    server_->tell("state", state);
    QTRY_VERIFY(!loop->isChecked());
  }

  void lengths_are_the_same_everywhere() {
    // 80 frames at 30 fps: the library rounded, the transport cut off.
    QCOMPARE(media_time(80 / 30.0), QString("0:02.6"));
    QCOMPARE(media_length(80 / 30.0), QString("0:02.6"));
    QCOMPARE(media_length(160), QString("2:40"));
    QCOMPARE(media_time(160), QString("2:40.0"));
    QCOMPARE(media_length(54), QString("0:54"));
    for (int frames = 1; frames < 3000; ++frames) {
      const auto length = media_length(frames / 30.0);
      QVERIFY2(media_time(frames / 30.0).startsWith(length), qPrintable(length));
    }
  }

  void what_comes_next_is_named_and_never_cut_without_a_word() {
    auto state = playing("waves", 100);
    const QString title(200, 'w');
    state["playlist"] = QJsonArray{QJsonObject{{"name", title}, {"transition", "fade"}, {"fade_ms", 2000}}};
    server_->tell("state", state);
    QTRY_COMPARE(next_up(), QString::fromUtf8("Next: %1 \u00b7 fade 2 s").arg(title));
    auto* label = window_->findChild<QWidget*>("next-up");
    QVERIFY(static_cast<ElidedLabel*>(label)->is_elided());
    QCOMPARE(label->toolTip(), next_up());
    state["playlist"] = QJsonArray{QJsonObject{{"name", "b"}}};
    server_->tell("state", state);
    QTRY_COMPARE(next_up(), QString("Next: b"));
    QVERIFY(label->toolTip().isEmpty());
  }

  void the_strip_is_drawn_across_the_time() {
    QPixmap strip(400, 60);
    QPainter painter(&strip);
    int x = 0;
    for (const auto color : {Qt::red, Qt::green, Qt::blue, Qt::white})
      painter.fillRect(QRect(100 * x++, 0, 100, 60), color);
    painter.end();
    timeline()->set_strip(strip, 4);
    const auto shot = timeline()->grab().toImage();
    const auto at = [&](int frame) { return shot.pixelColor(qRound(timeline()->x_of(frame)), 50); };
    QCOMPARE(at(37), QColor(Qt::red));
    QCOMPARE(at(130), QColor(Qt::green));
    QCOMPARE(at(187), QColor(Qt::blue));
    QCOMPARE(at(270), QColor(Qt::white));
  }

  void an_end_behind_the_other_clears_that() {
    auto state = playing("waves", 50);
    state["in"] = 60;
    state["out"] = 80;
    server_->tell("state", state);
    QTRY_COMPARE(timeline()->asked(), 50);
    window_->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_BracketRight);
    QVERIFY(server_->was_asked("loop", {{"loop", true}, {"out", 50}}));
  }

  void handles_and_keys_of_the_timeline_work() {
    auto* bar = timeline();
    bar->setFocus();
    QTest::keyClick(bar, Qt::Key_PageDown);
    QVERIFY(server_->was_asked("seek", {{"frame", 130}}));
    QTest::keyClick(bar, Qt::Key_PageUp);
    QVERIFY(server_->was_asked("seek", {{"frame", 100}}));
    auto state = playing("waves", 150);
    state["in"] = 100;
    state["out"] = 200;
    server_->tell("state", state);
    QTRY_VERIFY(bar->accessibleDescription().contains("out 200"));
    const auto at = [&](int frame) { return QPoint(qRound(bar->x_of(frame)), 25); };
    QTest::mousePress(bar, Qt::LeftButton, {}, at(200));
    QTest::mouseMove(bar, at(250));
    QTest::mouseRelease(bar, Qt::LeftButton, {}, at(250));
    QTRY_VERIFY(std::ranges::any_of(server_->calls, [](const auto& call) {
      return call.first == "loop" && std::abs(call.second["out"].toInt() - 250) < 3 && call.second["in"] == 100;
    }));
    // A press outside the loop seeks to its end.
    QTest::mouseClick(bar, Qt::LeftButton, {}, at(20));
    QVERIFY(server_->was_asked("seek", {{"frame", 100}}));
  }

  void marks_are_bounded_and_survive_restarts() {
    FlowHistory history;
    history.set_wall(wall());
    TroubleMarks marks;
    marks.follow("waves", 30);
    for (int i = 0; i < 10; ++i) {
      history.add(stats_from(stats({5, 0, 0, 7}, {5})).value());
      marks.add(history);
    }
    QCOMPARE(marks.totals()[2], 0);                             // earlier counts say nothing about the present
    history.add(stats_from(stats({6, 0, 0, 1}, {6})).value());  // the node was restarted
    marks.add(history);
    QVERIFY(marks.marks().empty());
    for (int i = 0; i < 5000; ++i) {
      history.add(stats_from(stats({6, 0, 0, 2 + i}, {6})).value());
      marks.add(history);
    }
    QCOMPARE(marks.marks().size(), TroubleMarks::marks_max);
  }
};

QTEST_MAIN(TransportTest)
#include "transport_test.moc"
