// Operators who may only look cannot request changes by mistake: controls that change something are disabled, those
// that only read are not.
#include "tests/gui/as_read.h"
#include "tests/gui/scripted_server.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/models/tile_figures.h"
#include "wall-control/sessions/session_bar.h"

#include <QAction>
#include <QClipboard>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>

#include <algorithm>
#include <memory>

using namespace lw;

class GuardTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<MainWindow> window_;

  QAction* action(const QString& begins) {
    for (auto* action : window_->actions())
      if (action->text().startsWith(begins)) return action;
    return nullptr;
  }
  QPushButton* button(const char* name) { return window_->findChild<QPushButton*>(name); }

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void init() {
    server_ = std::make_unique<test::ScriptedServer>();
    server_->results["list"] = {
        {"visualizations", QJsonArray{QJsonObject{{"name", "alpha"}, {"title", "The alpha"}, {"fits", true}}}}};
    window_ = std::make_unique<MainWindow>();
    window_->show();
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->findChild<QListView*>("library")->model()->rowCount(), 1);
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void nothing_that_changes_the_wall_can_be_pressed() {
    window_->findChild<QAction*>("playlist-add")->trigger();
    for (const char* name : {"apply", "play-from-start"}) QVERIFY2(button(name)->isEnabled(), name);
    for (const char* text : {"Import", "Edit details", "Delete"}) QVERIFY2(action(text)->isEnabled(), text);
    window_->link().set_guard(ControlLink::Guard::view_only);
    for (const char* name : {"apply", "play-from-start"}) QVERIFY2(!button(name)->isEnabled(), name);
    for (const char* text : {"Import", "Edit details", "Delete"}) QVERIFY2(!action(text)->isEnabled(), text);
    QVERIFY(button("revert")->isEnabled());
    window_->link().set_guard(ControlLink::Guard::none);
    for (const char* name : {"apply", "play-from-start"}) QVERIFY2(button(name)->isEnabled(), name);
    for (const char* text : {"Import", "Edit details", "Delete"}) QVERIFY2(action(text)->isEnabled(), text);
  }

  void recording_is_copied_as_a_command() {
    QStringList copied;
    for (const auto* menu : window_->findChild<SessionBar*>()->findChildren<QMenu*>("copies")) {
      menu->actions().at(0)->trigger();
      copied << QGuiApplication::clipboard()->text();
    }
    QCOMPARE(copied, (QStringList{"wall-control --connect " + server_->address() + " --record SESSION --seconds 60",
                                  "wall-control --open SESSION"}));
  }

  void what_nodes_tell_of_screen_and_clock_is_shown() {
    const auto wall = read_info({{"wall", test::ScriptedServer::wall()}}).wall;
    const QJsonObject report{
        {"clock", QJsonObject{{"state", "system"}, {"phc_offset_us", -0.7}}},
        {"swap_group", "not joined: there are no windows"},
        {"flows", QJsonArray{}},
        {"tiles", QJsonArray{QJsonObject{{"tile", QJsonArray{1, 0}}, {"scanout_us_p99", 16'100.0}}}}};
    const QJsonObject stats{
        {"nodes", QJsonArray{QJsonObject{{"node", "one"}, {"connected", true}, {"report", report}}}}};
    WallStatus status;
    FlowHistory history;
    status.set_wall(wall);
    history.set_wall(wall);
    status.add(stats_from(stats).value());
    const auto find = [](const std::vector<ShownFigure>& figures, const QString& name) {
      return *std::ranges::find(figures, name, &ShownFigure::name);
    };
    const auto node = figures_of_node(*status.node("one"));
    QCOMPARE(find(node, "Card's PTP clock").value, "-0.7 µs");
    QVERIFY(find(node, "Frame lock").alarming && find(node, "Frame lock").value.contains("no windows"));
    QCOMPARE(find(figures_of_tile(history, status, history.tiles()[1]), "On the screen, p99").value, "16.1 ms");
    QCOMPARE(find(figures_of_tile(history, status, history.tiles()[0]), "On the screen, p99").value, QString());
    status.add_gap();
    QVERIFY(find(figures_of_node(*status.node("one")), "Card's PTP clock").value.isEmpty());
  }
};

QTEST_MAIN(GuardTest)
#include "guard_test.moc"
