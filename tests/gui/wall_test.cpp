// The wall in the window: previews of the tiles or why there are none, each state in words, selection and requests for
// a tile by mouse and keyboard. tests/gui/canvas_test.cpp has the canvas alone.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/own_settings.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/health/inspector.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/wallview/wall_page.h"

#include <QBuffer>
#include <QClipboard>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using namespace lw;

namespace {

// As a node sends it.
QJsonObject picture_of(int column, int row, const QImage& image) {
  QByteArray png;
  QBuffer buffer(&png);
  image.save(&buffer, "png");
  return {{"tile", QJsonArray{column, row}},
          {"mime", "image/png"},
          {"base64", QString::fromLatin1(png.toBase64())},
          {"frame", 17}};
}

QImage flat(const QColor& color, QSize size = {192, 120}) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(color);
  return image;
}

QImage landscape(int column, int row) {
  QImage image(192, 120, QImage::Format_RGB32);
  QPainter painter(&image);
  QLinearGradient sky(0, 0, 192, 120);
  sky.setColorAt(0, QColor::fromHsv((column * 37 + row * 71) % 360, 160, 240));
  sky.setColorAt(1, QColor::fromHsv((column * 37 + row * 71 + 60) % 360, 200, 40));
  painter.fillRect(image.rect(), sky);
  return image;
}

// Playing, with everything measured; tile `bad` loses packets and frames.
QJsonObject full_stats(int columns, int rows, int tenth, int bad = -1) {
  QJsonArray flows;
  QJsonArray tiles;
  QJsonArray skews;
  for (int tile = 0; tile < columns * rows; ++tile) {
    const QJsonArray place{tile % columns, tile / columns};
    const qint64 troubles = tile == bad ? tenth : 0;
    flows << QJsonObject{{"flow", tile},
                         {"receiving", true},
                         {"packets", 1000 * tenth},
                         {"lost", 3 * troubles},
                         {"repaired", 2 * troubles},
                         {"gbit_per_s", 1.84},
                         {"jitter_us", 20.0},
                         {"cpu", 1}};
    tiles << QJsonObject{{"tile", place},
                         {"frame", 17 + tenth},
                         {"fps", 30.0},
                         {"frames_due", 100 + tenth},
                         {"shown_whole", 100 + tenth - troubles},
                         {"shown_concealed", troubles},
                         {"not_shown", 0},
                         {"late", 0},
                         {"lateness_us_p99", 1234.0}};
    skews << QJsonObject{{"tile", place}, {"skew_us", 52.0 + tile}};
  }
  const QJsonObject report{{"flows", flows},
                           {"tiles", tiles},
                           {"process", QJsonObject{{"cpu_s", 1.0}, {"cpus", 2}, {"cpu_share", 0.41}}},
                           {"clock", QJsonObject{{"state", "kept"}, {"error_us", 60.0}}}};
  const auto name = columns * rows == 4 ? "one" : "render-01";
  return {{"interval_s", 0.1},
          {"wall", QJsonObject{{"tiles", skews}, {"frames_in_step", 100 + tenth}, {"skew_error_us", 120.0}}},
          {"nodes", QJsonArray{QJsonObject{{"node", name}, {"connected", true}, {"age_s", 0.05}, {"report", report}}}}};
}

}  // namespace

class WallTest : public QObject {
  Q_OBJECT

  const QTemporaryDir settings_;
  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;
  WallPage* page_ = nullptr;
  WallView* view_ = nullptr;

  bool was_called(const QString& method, const QJsonObject& params = {}) {
    return QTest::qWaitFor([&] { return server_->calls.contains(std::pair{method, params}); }, 2000);
  }
  void play(int bad = -1) {
    for (int tenth = 0; tenth < 30; ++tenth) server_->tell("stats", full_stats(2, 2, tenth, bad));
    server_->tell("state", playing_state);
    QTRY_VERIFY(words(0, 0).contains("frame 46"));
    QTRY_COMPARE(window_->findChild<TimelineBar*>()->frames(), playing_state["frames"].toInt());
  }
  [[nodiscard]] QPoint center_of(int column, int row) const { return view_->rect_of(column, row).center().toPoint(); }
  [[nodiscard]] QString words(int column, int row) const { return view_->words_of(column, row); }
  [[nodiscard]] static QAction* action_of(const QMenu& menu, const QString& in, const QString& text) {
    const QMenu* found = in.isEmpty() ? &menu : nullptr;
    for (const auto* sub : menu.findChildren<QMenu*>())
      if (sub->title() == in) found = sub;
    if (found == nullptr) return nullptr;
    for (auto* made : found->actions())
      if (made->text() == text) return made;
    return nullptr;
  }

  QAction* action(const QString& text) {
    for (auto* made : window_->actions())
      if (made->text() == text) return made;
    return nullptr;
  }

private slots:
  void initTestCase() { test::keep_settings_in(settings_.path()); }
  void init() {
    server_ = std::make_unique<FakeServer>();
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    window_->connect_to(server_->address());
    QTRY_COMPARE(window_->link().state(), ControlLink::State::ready);
    page_ = window_->findChild<WallPage*>();
    view_ = page_->view();
  }
  void cleanup() {
    window_.reset();
    server_.reset();
  }

  void pictures_are_asked_for_while_the_wall_is_seen() {
    QVERIFY(was_called("subscribe", {{"pictures", true}}));
    page_->hide();
    QVERIFY(was_called("subscribe", {{"pictures", false}}));
  }

  void a_tile_shows_its_preview() {
    play();
    server_->tell("picture", picture_of(1, 0, flat({200, 30, 90})));
    QTRY_COMPARE(view_->grab().toImage().pixelColor(center_of(1, 0)), QColor(200, 30, 90));
    QVERIFY(view_->grab().toImage().pixelColor(center_of(0, 0)) != QColor(200, 30, 90));
    // An invalid preview, or a huge one, changes nothing. The valid one again, because old ones are not shown.
    server_->tell("picture", picture_of(1, 0, flat({200, 30, 90})));
    server_->tell("picture", picture_of(1, 0, flat({1, 2, 3}, {600, 10})));
    server_->tell("picture", {{"tile", QJsonArray{1, 0}}, {"base64", "bm9uc2Vuc2U="}});
    server_->tell("picture", picture_of(0, 0, flat({10, 200, 10})));
    QTRY_COMPARE(view_->grab().toImage().pixelColor(center_of(0, 0)), QColor(10, 200, 10));
    QCOMPARE(view_->grab().toImage().pixelColor(center_of(1, 0)), QColor(200, 30, 90));
    window_->link().disconnect_from();
    QVERIFY2(words(1, 0).contains("not connected"), qPrintable(words(1, 0)));
    QVERIFY(view_->grab().toImage().pixelColor(center_of(1, 0)) != QColor(200, 30, 90));
  }

  void each_state_is_stated_in_words() {
    play(2);
    QVERIFY2(words(0, 0).contains("frame 46") && words(0, 0).contains("lateness 1.2 ms"), qPrintable(words(0, 0)));
    auto state = playing_state;
    state["overlays"] = QJsonArray{QJsonObject{{"tile", QJsonArray{1, 1}}, {"pattern", "grid"}, {"identify", true}}};
    server_->tell("state", state);
    QTRY_VERIFY(words(1, 1).contains("Grid"));
    auto stats = full_stats(2, 2, 31);
    const auto with_node = [&](const char* key, const QJsonValue& value) {
      auto node = stats["nodes"].toArray()[0].toObject();
      node[key] = value;
      stats["nodes"] = QJsonArray{node};
      server_->tell("stats", stats);
    };
    with_node("age_s", 4.2);
    QTRY_VERIFY(words(0, 0).contains("not reported for 4 s"));
    auto report = stats["nodes"].toArray()[0].toObject()["report"].toObject();
    report["clock"] = QJsonObject{{"state", "waiting"}};
    with_node("report", report);
    with_node("age_s", 0.1);
    QTRY_VERIFY(words(0, 0).contains("waits for the server's clock"));
    with_node("report", {});
    with_node("connected", false);
    QTRY_VERIFY(words(0, 0).contains("wall-client"));
  }

  void a_click_selects_for_all_views() {
    play(1);
    auto& focus = window_->network().focus();
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(1, 0));
    QCOMPARE(focus.part(), (Part{1, 0, {}, {}}));
    QCOMPARE(view_->selected()->row, 0);
    focus.show({0, 1, {}, {}});
    QCOMPARE(view_->selected()->row, 1);
    // The bracket of the only node is below all columns.
    const QPoint below(center_of(0, 0).x(), static_cast<int>(view_->geometry().plate().bottom()) + 6);
    QTest::mouseClick(view_, Qt::LeftButton, {}, below);
    QCOMPARE(focus.part().node, QString("one"));
    QVERIFY(view_->selected() == nullptr);
  }

  void the_keys_go_from_tile_to_tile_and_arrows_stay_with_the_transport() {
    play();
    view_->setFocus();
    server_->calls.clear();
    for (const auto key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down})
      QTest::keyClick(view_, key, Qt::ControlModifier);
    QCOMPARE((std::pair{view_->selected()->column, view_->selected()->row}), (std::pair{1, 1}));
    QTest::qWait(50);
    for (const auto& [method, params] : server_->calls) QVERIFY2(method != "seek", "moving the selection seeks");
    QSignalSpy opened(page_, &WallPage::cause_wanted);
    QTest::keyClick(view_, Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    auto& focus = window_->network().focus();
    QTest::keyClick(view_, Qt::Key_Backspace);
    QCOMPARE(focus.part().node, QString("one"));
    QTest::keyClick(view_, Qt::Key_Escape);
    QCOMPARE(focus.part(), Part());
    QTest::keyClick(view_, Qt::Key_Right);
    QVERIFY(view_->selected() == nullptr);
    QVERIFY(was_called("seek", {{"frame", 18}}));
  }

  void problems_are_visited_by_key() {
    play(2);
    QTRY_COMPARE(view_->problems().size(), 1U);
    QTest::keyClick(view_, Qt::Key_F8);
    QCOMPARE((std::pair{view_->selected()->column, view_->selected()->row}), (std::pair{0, 1}));
  }

  void the_bar_says_what_plays_and_has_the_requests_for_all_tiles() {
    play();
    QTRY_COMPARE(page_->bar()->title().shown_title(), QString("Title of alpha"));
    auto* patterns = page_->bar()->patterns();
    QVERIFY(patterns->isEnabled());
    action_of(*patterns->menu(), "", "Ramps")->trigger();
    QVERIFY(was_called("pattern", {{"pattern", "ramp"}}));
    QTest::keyClick(view_, Qt::Key_B);
    QVERIFY(was_called("pattern", {{"pattern", "black"}}));
    QTest::keyClick(view_, Qt::Key_I);
    QVERIFY(was_called("identify", {{"on", true}}));
    window_->link().set_guard(ControlLink::Guard::locked);
    page_->refresh();
    QVERIFY(!patterns->isEnabled());
  }

  void zoom_by_key_and_back() {
    play();
    QTest::keyClick(view_, Qt::Key_Plus);
    QCOMPARE(view_->geometry().zoom(), 1.5);
    QTest::keyClick(view_, Qt::Key_Minus);
    QCOMPARE(view_->geometry().zoom(), 1.0);
    QTest::keyClick(view_, Qt::Key_Plus);
    QTest::keyClick(view_, Qt::Key_F);
    QVERIFY(!view_->geometry().zoomed());
  }

  void the_menu_requests_for_a_tile_and_copies_what_it_calls() {
    play();
    auto state = playing_state;
    state["overlays"] = QJsonArray{QJsonObject{{"tile", QJsonArray{1, 0}}, {"pattern", "black"}, {"identify", true}}};
    server_->tell("state", state);
    QTRY_VERIFY(words(1, 0).contains("Black"));
    const std::unique_ptr<QMenu> shown(page_->make_menu(1, 0));
    QVERIFY(action_of(*shown, "", "Identify")->isChecked());
    QVERIFY(action_of(*shown, "", "Blank")->isChecked());
    action_of(*shown, "", "Blank")->trigger();
    QVERIFY(was_called("pattern", {{"pattern", "none"}, {"tile", QJsonArray{1, 0}}}));
    const std::unique_ptr<QMenu> menu(page_->make_menu(0, 1));
    action_of(*menu, "", "Identify")->trigger();
    QVERIFY(was_called("identify", {{"on", true}, {"tile", QJsonArray{0, 1}}}));
    action_of(*menu, "", "Mark concealed rows")->trigger();
    QVERIFY(was_called("mark", {{"on", true}, {"tile", QJsonArray{0, 1}}}));
    action_of(*menu, "Test pattern", "Ramps")->trigger();
    QVERIFY(was_called("pattern", {{"pattern", "ramp"}, {"tile", QJsonArray{0, 1}}}));
    server_->calls.clear();
    action_of(*menu, "As command line", "Blank")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().endsWith("--call pattern '{\"pattern\":\"black\",\"tile\":[0,1]}'"));
    action_of(*menu, "As JSON-RPC", "Test pattern: Grid")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains("\"params\":{\"pattern\":\"grid\",\"tile\":[0,1]}"));
    action_of(*menu, "Copy", "Figures as text")->trigger();
    QVERIFY2(QGuiApplication::clipboard()->text().contains("Frame rate\t30.0 frame/s"),
             qPrintable(QGuiApplication::clipboard()->text()));
    QTest::qWait(50);
    QVERIFY(server_->calls.isEmpty());
    window_->link().set_guard(ControlLink::Guard::locked);
    QSignalSpy hosts(page_, &WallPage::hosts_wanted);
    action_of(*menu, "", "Show node in Hosts")->trigger();
    QCOMPARE(hosts.at(0).at(0).toString(), QString("one"));
    const std::unique_ptr<QMenu> locked(page_->make_menu(0, 1));
    QVERIFY(!action_of(*locked, "", "Blank")->isEnabled());
  }

  void the_menu_of_several_tiles_requests_for_each() {
    play();
    window_->network().focus().show_tiles({{0, 1}, {1, 1}});
    const std::unique_ptr<QMenu> menu(page_->make_menu(0, 1));
    QCOMPARE(menu->actions().front()->text(), QString("2 tiles"));
    action_of(*menu, "", "Identify")->trigger();
    QVERIFY(was_called("identify", {{"on", true}, {"tile", QJsonArray{0, 1}}}));
    QVERIFY(was_called("identify", {{"on", true}, {"tile", QJsonArray{1, 1}}}));
    action_of(*menu, "As command line", "Blank")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text().count("--call pattern"), 2);
    action_of(*menu, "Copy", "Figures as text")->trigger();
    const auto text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.contains("Tile 0,1") && text.contains("Tile 1,1") && !text.contains("Tile 1,0"), qPrintable(text));
    // The menu of another tile is about that tile.
    const std::unique_ptr<QMenu> other(page_->make_menu(1, 0));
    QVERIFY(other->actions().front()->text() != "2 tiles");
    auto* inspector = window_->findChild<Inspector*>();
    QTRY_VERIFY2(inspector->as_text().contains("Tiles: 2"), qPrintable(inspector->as_text()));
    QVERIFY(inspector->as_text().startsWith("2 tiles\n"));
  }

  void the_wall_as_a_table_shares_the_selection() {
    play(2);
    auto& focus = window_->network().focus();
    auto* as_table = action("Wall as table");
    as_table->trigger();
    QVERIFY(page_->shows_table() && page_->table()->isVisible() && !view_->isVisible());
    auto& rows = page_->table()->rows();
    QVERIFY(rows.hasFocus());
    QTRY_COMPARE(rows.model()->rowCount(), 4);
    const auto text = [&](int row, int column) { return rows.model()->index(row, column).data().toString(); };
    // The worst first, with the same figures as the canvas.
    QTRY_COMPARE(text(0, WallTableModel::tile), QString("0,1"));
    QVERIFY2(text(0, WallTableModel::state).startsWith("Picture faults, "), qPrintable(text(0, WallTableModel::state)));
    QCOMPARE(text(1, WallTableModel::state), QString("In step"));
    QCOMPARE(text(0, WallTableModel::concealed), QString("29"));
    QCOMPARE(text(0, WallTableModel::delay), QString::fromUtf8("\u2013"));  // which these nodes do not report
    // Selected here and there.
    rows.setCurrentIndex(rows.model()->index(0, 0));
    QCOMPARE(focus.part(), (Part{0, 1, {}, {}}));
    QTest::keyClick(&rows, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(focus.tiles().size(), 2U);
    QCOMPARE(view_->selection().size(), 2U);
    focus.show_tiles({{1, 1}, {0, 0}, {1, 0}});
    QCOMPARE(rows.selectionModel()->selectedRows().size(), 3);
    QCOMPARE(rows.currentIndex().siblingAtColumn(0).data().toString(), QString("1,1"));
    focus.show({});
    QVERIFY(!rows.selectionModel()->hasSelection());
    QSignalSpy opened(page_, &WallPage::cause_wanted);
    QTest::keyClick(&rows, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(&rows, Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QVERIFY(!action("Zoom in")->isEnabled());
    as_table->trigger();
    QVERIFY(view_->isVisible() && view_->hasFocus());
  }

  void the_table_is_copied_as_csv() {
    play(2);
    page_->show_table(true);
    auto& rows = page_->table()->rows();
    QTRY_COMPARE(rows.model()->rowCount(), 4);
    QTRY_COMPARE(rows.model()->index(0, 0).data().toString(), QString("0,1"));
    const auto lines = page_->table()->as_csv().split("\r\n");
    QCOMPARE(lines.size(), 6);  // headings, four tiles, and the end
    QVERIFY2(lines[0].startsWith("Tile,Node,State,Frame,Shown,Concealed,"), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith("\"0,1\",one,\"Picture faults, "), qPrintable(lines[1]));
    QVERIFY2(lines[1].contains(",1.234,"), qPrintable(lines[1]));  // lateness in ms
    rows.selectRow(2);
    QCOMPARE(page_->table()->as_csv().split("\r\n").size(), 3);
  }

  void the_grouping_is_remembered() {
    play();
    auto* button = window_->findChild<QToolButton*>("grouping");
    QCOMPARE(button->text(), QString("Group: none"));
    QVERIFY(!view_->grouped());
    button->menu()->actions()[1]->trigger();
    QCOMPARE(button->text(), QString("Group: node"));
    QVERIFY(view_->grouped());
    window_.reset();
    window_ = std::make_unique<MainWindow>();
    QVERIFY(window_->findChild<WallPage*>()->view()->grouped());
    window_->findChild<QToolButton*>("grouping")->menu()->actions()[0]->trigger();
    QVERIFY(!window_->findChild<WallPage*>()->view()->grouped());
  }

  void the_table_is_remembered() {
    action("Wall as table")->trigger();
    window_.reset();
    window_ = std::make_unique<MainWindow>();
    QVERIFY(window_->findChild<WallPage*>()->shows_table());
    action("Wall as table")->trigger();
    QVERIFY(!window_->findChild<WallPage*>()->shows_table());
  }

  void the_previews_are_saved_as_an_image() {
    play();
    const QTemporaryDir folder;
    QVERIFY(!page_->save_image(folder.filePath("wall.png")).isEmpty());
    server_->tell("picture", picture_of(1, 0, flat({200, 30, 90})));
    QTRY_COMPARE(page_->save_tile_image(folder.filePath("tile.png"), 1, 0), QString());
    QCOMPARE(QImage(folder.filePath("tile.png")).size(), QSize(192, 120));
    QCOMPARE(page_->save_image(folder.filePath("wall.png")), QString());
    const QImage wall(folder.filePath("wall.png"));
    // Two tiles of 640 pixels, 192 of which are in the preview, and a bezel of 16.
    QCOMPARE(wall.width(), qRound((2 * 640 + 16) * 192.0 / 640));
    QCOMPARE(wall.pixelColor(wall.width() * 3 / 4, wall.height() / 4), QColor(200, 30, 90));
    QCOMPARE(wall.pixelColor(wall.width() / 4, wall.height() / 4), QColor(Qt::black));
    QVERIFY(!page_->save_image("/nowhere/wall.png").isEmpty());
  }

  void it_is_seen_in_the_window() {
    play(3);
    for (int tile = 0; tile < 4; ++tile)
      server_->tell("picture", picture_of(tile % 2, tile / 2, landscape(tile % 2, tile / 2)));
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(1, 0));
    QTest::qWait(600);
    QVERIFY(window_->grab().save(test::picture("wall.png")));
    page_->show_table(true);
    for (const auto* theme : {"dark", "light", "contrast"}) {
      QTest::qWait(1100);
      QVERIFY(window_->grab().save(test::picture(QString("wall-table-%1.png").arg(theme))));
      action("Next theme")->trigger();
    }
  }
};

QTEST_MAIN(WallTest)
#include "wall_test.moc"
