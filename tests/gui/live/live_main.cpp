// The real window against a real server and real nodes, driven by keys and clicks as an operator does; started by
// tests/e2e/gui_test.py, which says where the server is. The effect of an action is checked on the server, not in the
// window. Screenshots of what was seen are saved for docs/images.
#include "tests/gui/own_settings.h"
#include "wall-control/app/main_window.h"
#include "wall-control/health/inspector.h"
#include "wall-control/network/charts_panel.h"
#include "wall-control/present/audience_view.h"
#include "wall-control/wallview/wall_view.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QJsonArray>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

#include <memory>

using namespace lw;

namespace {

QString asked(const char* name) { return qEnvironmentVariable(name); }

}  // namespace

class LiveTest : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  QJsonObject ask(const QString& method, const QJsonObject& params = {}) {
    QJsonObject result;
    bool answered = false;
    window_->link().call(method, params, [&](const QJsonValue& value, const QString&) {
      result = value.toObject();
      answered = true;
    });
    return QTest::qWaitFor([&] { return answered; }, 5000) ? result : QJsonObject();
  }
  QString status() { return ask("state")["status"].toString(); }
  int frame() { return ask("state")["frame"].toInt(-1); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    window_->setFocus();
    QTest::keyClick(window_.get(), key, modifiers);
  }
  QListView* library() { return window_->findChild<QListView*>("library"); }
  void double_click(int row) {
    const auto place = library()->visualRect(library()->model()->index(row, 0)).center();
    QTest::mouseClick(library()->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(library()->viewport(), Qt::LeftButton, {}, place);
  }
  void save_picture(const QString& name) {
    QVERIFY(window_->grab().save(QDir(asked("LW_PICTURES")).filePath(name + ".png")));
  }
  int frames_shown(int column, int row) {
    for (const auto& node : ask("stats")["nodes"].toArray())
      for (const auto& tile : node.toObject()["report"].toObject()["tiles"].toArray())
        if (tile.toObject()["tile"].toArray() == QJsonArray{column, row}) return tile.toObject()["shown_whole"].toInt();
    return 0;
  }

private slots:
  void initTestCase() {
    test::keep_settings_in(asked("LW_PICTURES"));
    window_ = std::make_unique<MainWindow>();
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    window_->connect_to(asked("LW_CONNECT"));
    QTRY_COMPARE_WITH_TIMEOUT(window_->link().state(), ControlLink::State::ready, 10'000);
    QTRY_COMPARE(library()->model()->rowCount(), 2);
  }
  void cleanupTestCase() { window_.reset(); }

  void a_double_click_shows_it_on_every_tile() {
    double_click(0);
    QTRY_COMPARE(status(), "playing");
    for (int column = 0; column < 2; ++column)
      for (int row = 0; row < 2; ++row) QTRY_VERIFY_WITH_TIMEOUT(frames_shown(column, row) > 30, 10'000);
    auto* wall = window_->findChild<WallView*>();
    QTRY_VERIFY(wall->words_of(1, 1).contains("frame"));
    QTest::qWait(2500);
    save_picture("control");
  }

  void keys_move_the_wall() {
    press(Qt::Key_Space);
    QTRY_COMPARE(status(), "paused");
    press(Qt::Key_Home);
    QTRY_COMPARE(frame(), 0);
    press(Qt::Key_Right);
    QTRY_COMPARE(frame(), 1);
    press(Qt::Key_End);
    const int last = ask("state")["frames"].toInt() - 1;
    QTRY_COMPARE(frame(), last);
    press(Qt::Key_Left);
    QTRY_COMPARE(frame(), last - 1);
    press(Qt::Key_J);
    QTRY_COMPARE(ask("state")["rate"].toDouble(), -1.0);
    QTRY_COMPARE(status(), "playing");
    press(Qt::Key_L);
    QTRY_COMPARE(ask("state")["rate"].toDouble(), 1.0);
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(!ask("state")["loop"].toBool());
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(ask("state")["loop"].toBool());
    press(Qt::Key_Period, Qt::ControlModifier);
    QTRY_COMPARE(status(), "stopped");
    press(Qt::Key_Space);
    QTRY_COMPARE(status(), "playing");
  }

  void the_other_one_can_be_shown() {
    const auto before = ask("state")["name"].toString();
    double_click(1);
    QTRY_VERIFY(ask("state")["name"].toString() != before);
    QTRY_COMPARE(status(), "playing");
  }

  void one_fades_into_the_other() {
    press(Qt::Key_X);
    press(Qt::Key_X);
    const auto before = ask("state")["name"].toString();
    double_click(0);
    QTRY_VERIFY(ask("state").contains("coming"));
    QCOMPARE(ask("state")["coming"].toObject()["fade_ms"].toInt(), 1000);
    QCOMPARE(ask("state")["name"].toString(), before);
    QTRY_VERIFY(ask("state")["name"].toString() != before);
    window_->findChild<QComboBox*>("transition")->setCurrentIndex(0);
  }

  void a_tile_tells_its_figures_and_shows_a_pattern() {
    auto* view = window_->findChild<WallView*>();
    QTest::mouseClick(view, Qt::LeftButton, {}, view->rect_of(1, 0).center().toPoint());
    const auto* inspector = window_->findChild<Inspector*>();
    QTRY_VERIFY(inspector->isVisible());
    QTRY_VERIFY(inspector->as_text().contains("Tile 1,0"));
    QTest::qWait(600);
    save_picture("tile");
    QTest::keyClick(view, Qt::Key_Escape);
    press(Qt::Key_I);
    QTRY_COMPARE(ask("state")["overlays"].toArray().size(), 4);
    press(Qt::Key_I);
    QTRY_VERIFY(ask("state")["overlays"].toArray().isEmpty());
  }

  void the_hosts_and_where_the_flows_run() {
    press(Qt::Key_3, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<QLabel*>("wrong-pairings") != nullptr);
    QTest::qWait(500);
    save_picture("hosts");
    press(Qt::Key_1, Qt::ControlModifier);
  }

  void a_flow_is_tried_on_another_cpu() {
    press(Qt::Key_3, Qt::ControlModifier);
    auto* cpus = window_->findChild<QComboBox*>("trial-cpu");
    auto* begin = window_->findChild<QPushButton*>("try");
    QTRY_VERIFY(cpus->count() > 0);
    for (int i = 0; i < cpus->count() && !begin->isEnabled(); ++i) cpus->setCurrentIndex(i);
    if (!begin->isEnabled()) QSKIP("one CPU only");
    const int flow = window_->findChild<QComboBox*>("trial-flow")->currentData().toInt();
    const int to = cpus->currentData().toInt();
    const auto cpu = [&] { return ask("placement")["server"].toArray()[flow].toObject()["cpu"].toInt(-1); };
    const int from = cpu();
    QTest::mouseClick(begin, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(cpu(), to, 15'000);
    auto* back = window_->findChild<QPushButton*>("take-back");
    const auto* stage = window_->findChild<QLabel*>("trial-stage");
    QTRY_VERIFY_WITH_TIMEOUT(stage->text().contains("was moved"), 15'000);
    save_picture("placement");
    QTest::mouseClick(back, Qt::LeftButton);
    QTRY_COMPARE(cpu(), from);
    press(Qt::Key_1, Qt::ControlModifier);
  }

  void a_playlist_goes_on_the_wall() {
    for (int row = 0; row < 2; ++row) {
      library()->setCurrentIndex(library()->model()->index(row, 0));
      window_->findChild<QAction*>("playlist-add")->trigger();
    }
    window_->findChild<QAction*>("playlist-from-start")->trigger();
    QTRY_VERIFY(ask("state").contains("entry"));
    const auto playing = ask("state");
    QCOMPARE(playing["status"].toString(), "playing");
    QCOMPARE(playing["playlist"].toArray().size(), 1);
    QTest::qWait(500);
    save_picture("playlist");
    press(Qt::Key_N);
    QTRY_VERIFY(ask("state")["name"].toString() != playing["name"].toString());
  }

  void a_loop_keeps_within_its_frames() {
    press(Qt::Key_Space);
    QTRY_COMPARE(status(), "paused");
    press(Qt::Key_Home);
    QTRY_COMPARE(frame(), 0);
    for (int i = 0; i < 5; ++i) {
      press(Qt::Key_Right);
      QTRY_COMPARE(frame(), i + 1);
      QTest::qWait(50);
    }
    QTest::keyClick(window_.get(), '[');
    QTRY_COMPARE(ask("state")["in"].toInt(-1), 5);
    QTest::keyClick(window_.get(), '\\');
    QTRY_VERIFY(!ask("state").contains("in"));
    press(Qt::Key_Space);
    QTRY_COMPARE(status(), "playing");
  }

  // The recording is shown again without the server, in the same views; then the server is back.
  void a_session_is_recorded_and_shown_again() {
    const auto folder = QDir(asked("LW_PICTURES")).filePath("session");
    QDir(folder).removeRecursively();
    QCOMPARE(window_->recorder().start(folder), QString());
    QTRY_VERIFY(window_->recorder().statistics() > 15);
    window_->recorder().stop();
    QCOMPARE(window_->player().open(folder), QString());
    QVERIFY(window_->link().state() != ControlLink::State::ready);
    QTRY_VERIFY(window_->findChild<WallView*>()->words_of(1, 1).contains("frame"));
    QTest::qWait(300);
    save_picture("session");
    window_->player().close();
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    QTRY_COMPARE(library()->model()->rowCount(), 2);
  }

  void views_of_the_network() {
    auto* tabs = window_->findChild<ChartsPanel*>()->findChild<QTabWidget*>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      QTest::qWait(300);
      save_picture("network-" + tabs->tabText(tab).toLower().replace(' ', '-'));
    }
    press(Qt::Key_2, Qt::ControlModifier);
    QTest::qWait(500);
    save_picture("network");
    press(Qt::Key_1, Qt::ControlModifier);
    tabs->setCurrentIndex(0);
  }

  void for_an_audience() {
    press(Qt::Key_F11);
    AudienceView* audience = nullptr;
    for (auto* widget : QApplication::topLevelWidgets())
      if (auto* view = qobject_cast<AudienceView*>(widget)) audience = view;
    QVERIFY(audience != nullptr);
    QTRY_VERIFY(audience->isVisible());
    QTest::qWait(500);
    QVERIFY(audience->grab().save(QDir(asked("LW_PICTURES")).filePath("presenting.png")));
    QTest::keyClick(audience, Qt::Key_Escape);
    QTRY_VERIFY(!audience->isVisible());
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    press(Qt::Key_T, Qt::ControlModifier);
    QTest::qWait(200);
    save_picture("light");
    press(Qt::Key_T, Qt::ControlModifier);
    press(Qt::Key_T, Qt::ControlModifier);
  }

  // A visualization that plays keeps its open files; loading it again must fail with an error.
  void one_is_removed_while_it_plays() {
    const auto name = ask("state")["name"].toString();
    QVERIFY(QDir(asked("LW_CONTENT") + "/" + name).removeRecursively());
    press(Qt::Key_F5);
    QTRY_COMPARE(library()->model()->rowCount(), 1);
    QString error;
    connect(&window_->link(), &ControlLink::call_failed, this,
            [&](const QString&, const QString& words) { error = words; });
    window_->link().call("load", {{"name", name}});
    QTRY_VERIFY2(error.contains(name), qPrintable(error));
    double_click(0);
    QTRY_VERIFY(ask("state")["name"].toString() != name);
    QTRY_COMPARE(status(), "playing");
  }
};

QTEST_MAIN(LiveTest)
#include "live_main.moc"
