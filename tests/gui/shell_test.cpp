// The window around the panels: menus, the search for actions, workspaces that are remembered, docks, toasts, keys.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "wall-control/app/action_search.h"
#include "wall-control/app/dock.h"
#include "wall-control/app/keys_dialog.h"
#include "wall-control/app/main_window.h"
#include "wall-control/app/toast.h"
#include "wall-control/network/network_page.h"
#include "wall-control/ui/icons.h"
#include "wall-control/wallview/wall_view.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace lw;

namespace {

// WCAG 2.1, relative luminance.
double luminance(const QColor& color) {
  const auto channel = [](double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}
double contrast(const QColor& one, const QColor& other) {
  const double a = luminance(one), b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace

class ShellTest : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;

  void open(bool connected = true) {
    window_ = std::make_unique<MainWindow>();
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    if (!connected) return;
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
  }
  Dock* dock(const QString& name) { return window_->findChild<Dock*>(name); }
  QAction* action(const QString& text) {
    for (auto* menu : window_->findChildren<QMenu*>())
      for (auto* action : menu->actions())
        if (action->text() == text) return action;
    return nullptr;
  }

private slots:
  void initTestCase() { test::keep_settings_in(settings_.path()); }
  void init() {
    QSettings().clear();
    server_ = std::make_unique<FakeServer>();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void every_menu_has_actions_that_say_what_they_do() {
    open();
    const auto menus = window_->findChild<QMenuBar*>()->actions();
    QCOMPARE(menus.size(), 8);
    for (const auto* menu : menus) {
      QVERIFY2(!menu->menu()->actions().isEmpty(), qPrintable(menu->text()));
      for (const auto* item : menu->menu()->actions())
        QVERIFY2(item->isSeparator() || !item->property("description").toString().isEmpty(), qPrintable(item->text()));
    }
  }

  void no_key_has_two_actions() {
    open();
    QHash<QString, QString> actions;
    for (const auto* action : window_->findChildren<QAction*>())
      for (const auto& key : action->shortcuts()) {
        if (action->shortcutContext() != Qt::WindowShortcut) continue;
        const auto text = key.toString();
        QVERIFY2(!actions.contains(text) || actions[text] == action->text(),
                 qPrintable(QString("%1: %2 and %3").arg(text, actions[text], action->text())));
        actions[text] = action->text();
      }
  }

  void an_action_is_found_by_its_words_and_run() {
    open();
    QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier);
    auto* search = window_->findChild<ActionSearch*>();
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, "heat map, charts");
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_VERIFY(window_->findChild<NetworkPage*>()->isVisible());
    QCOMPARE(search->text(), QString());
  }

  void a_workspace_is_as_it_was_left_and_is_remembered() {
    open();
    QVERIFY(dock("library-dock")->isVisible() && dock("events-dock")->isVisible());
    dock("events-dock")->hide();
    window_->use_workspace(1);
    QVERIFY(!dock("library-dock")->isVisible());
    window_->use_workspace(0);
    QVERIFY(dock("library-dock")->isVisible() && !dock("events-dock")->isVisible());
    window_->close();
    open();
    QVERIFY(dock("library-dock")->isVisible() && !dock("events-dock")->isVisible());
    action("Reset workspace")->trigger();
    QVERIFY(dock("events-dock")->isVisible());
  }

  void keys_are_the_walls_after_another_workspace() {
    open();
    for (const int place : {2, 0}) window_->use_workspace(place);
    QCOMPARE(QApplication::focusWidget(), window_->findChild<WallView*>());
  }

  // The docks are arranged when the window is not shown yet, and hidden behind the start page.
  void the_first_workspace_is_arranged_as_meant() {
    open();
    QTest::qWait(50);
    QVERIFY(dock("playlist-dock")->height() < dock("library-dock")->height() / 2);
    QVERIFY(dock("events-dock")->width() < dock("charts-dock")->width());
  }

  void a_stored_layout_of_another_version_is_not_used() {
    QSettings().setValue("workspaces/operate", QByteArray("nonsense"));
    QSettings().setValue("window/geometry", QByteArray("nonsense"));
    open();
    QVERIFY(dock("library-dock")->isVisible() && dock("charts-dock")->isVisible());
  }

  void keys_are_the_walls_after_start_and_after_connecting() {
    open();
    server_->tell("state", playing_state);
    QTest::qWait(50);
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) == nullptr);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QTRY_VERIFY(server_->calls.contains(std::pair{QString("pause"), QJsonObject()}));
  }

  void every_dock_can_be_moved_and_hidden_by_its_menu() {
    open();
    for (auto* dock : window_->findChildren<Dock*>()) {
      dock->bring_up();
      const auto actions = dock->findChild<QToolButton*>("dock-menu")->menu()->actions();
      QCOMPARE(actions.size(), 5);
      actions[1]->trigger();
      QCOMPARE(window_->dockWidgetArea(dock), Qt::RightDockWidgetArea);
      actions[4]->trigger();
      QVERIFY(!dock->isVisible());
    }
  }

  void hidden_docks_come_back_by_undo() {
    open();
    auto* undo = action("Undo");
    auto* redo = action("Redo");
    QVERIFY(!undo->isEnabled());
    dock("events-dock")->findChild<QToolButton*>("dock-menu")->menu()->actions()[4]->trigger();
    QVERIFY(!dock("events-dock")->isVisible());
    auto* toast = window_->findChild<Toast*>();
    QCOMPARE(toast->words(), QString("Hidden: Events"));
    QTest::keyClick(window_.get(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(!dock("library-dock")->isVisible() && !dock("playlist-dock")->isVisible());
    QCOMPARE(toast->words(), QString("Hidden: Library, Playlist"));
    // The newest first; in the workspace in which they were hidden.
    window_->use_workspace(1);
    undo->trigger();
    QVERIFY(dock("library-dock")->isVisible() && dock("playlist-dock")->isVisible());
    QVERIFY(!dock("events-dock")->isVisible());
    QVERIFY(window_->findChild<WallView*>()->isVisible());
    undo->trigger();
    QVERIFY(dock("events-dock")->isVisible());
    redo->trigger();
    QVERIFY(!dock("events-dock")->isVisible() && dock("library-dock")->isVisible());
    undo->trigger();
    // What the toast offers, after a dock was hidden in the menu View.
    dock("charts-dock")->toggleViewAction()->trigger();
    QVERIFY(!dock("charts-dock")->isVisible());
    toast->findChild<QPushButton*>()->click();
    QVERIFY(dock("charts-dock")->isVisible());
  }

  // Without a wall there are no docks that could come back.
  void hidden_docks_stay_away_from_the_start_page() {
    open();
    dock("events-dock")->findChild<QToolButton*>("dock-menu")->menu()->actions()[4]->trigger();
    action("Disconnect")->trigger();
    QVERIFY(!dock("library-dock")->isVisible());
    action("Undo")->trigger();
    for (const auto* dock : window_->findChildren<Dock*>()) QVERIFY(!dock->isVisible());
    QVERIFY(!action("Undo")->isEnabled());
  }

  void the_window_fits_a_small_screen() {
    open();
    window_->resize(1280, 720);
    QTest::qWait(50);
    QCOMPARE(window_->size(), QSize(1280, 720));
    QVERIFY(window_->findChild<WallView*>()->height() >= 140);
    QVERIFY(window_->grab().save(test::picture("shell-1280x720.png")));
    const KeysDialog keys({}, window_.get());
    QVERIFY(keys.height() < 720);
  }

  void a_toast_offers_its_action_and_ends() {
    QWidget window;
    window.resize(800, 600);
    window.show();
    Toast toast(window);
    int run = 0;
    toast.say("Entry removed from the playlist", State::note, "Undo", [&] { ++run; });
    QCOMPARE(toast.words(), QString("Entry removed from the playlist"));
    QVERIFY(toast.geometry().right() < 800 && toast.geometry().bottom() < 600);
    toast.findChild<QPushButton*>()->click();
    QCOMPARE(run, 1);
    QVERIFY(!toast.isVisible());
  }

  void every_meaning_has_an_icon() {
    for (int meaning = 1; meaning < static_cast<int>(Icon::count); ++meaning) {
      const auto file = icon_file(static_cast<Icon>(meaning));
      QVERIFY2(!file.isEmpty(), qPrintable(QString::number(meaning)));
      const auto drawn = icon(static_cast<Icon>(meaning)).pixmap(22, 22).toImage();
      bool any = false;
      for (int y = 0; y < drawn.height() && !any; ++y)
        for (int x = 0; x < drawn.width() && !any; ++x) any = qAlpha(drawn.pixel(x, y)) > 128;
      QVERIFY2(any, qPrintable(file));
    }
  }

  void texts_and_states_have_the_contrast_of_wcag() {
    for (const auto theme : {Theme::dark, Theme::light, Theme::high_contrast}) {
      colors::use(theme);
      for (const auto& ground : {colors::window, colors::panel, colors::raised}) {
        for (const auto& color : {colors::text, colors::text2}) QVERIFY(contrast(color, ground) >= 7);
        for (const auto& color : {colors::text3, colors::accent, colors::ok, colors::warn, colors::crit, colors::off})
          QVERIFY2(contrast(color, ground) >= 4.5, qPrintable(color.name() + " on " + ground.name()));
        QVERIFY2(contrast(colors::edge, ground) >= 3, qPrintable(colors::edge.name() + " on " + ground.name()));
        for (const auto& color : colors::series) QVERIFY(contrast(color, ground) >= 3);
      }
      QVERIFY(contrast(colors::ok, colors::ok_soft) >= 4.5);
      QVERIFY(contrast(colors::warn, colors::warn_soft) >= 4.5);
      QVERIFY(contrast(colors::crit, colors::crit_soft) >= 4.5);
      QVERIFY(contrast(colors::on_accent, colors::accent) >= 4.5);
      QVERIFY(contrast(colors::text, colors::select) >= 4.5);
    }
    colors::use(Theme::dark);
  }
};

QTEST_MAIN(ShellTest)
#include "shell_test.moc"
