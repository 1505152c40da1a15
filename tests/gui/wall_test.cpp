// The wall and the panel beside it: previews of the tiles or why there are none, each state in words, from a few large
// tiles to many small ones; details and requests for a tile by mouse and keyboard.
#include "tests/gui/as_read.h"
#include "tests/gui/fake_server.h"
#include "tests/gui/picture.h"
#include "wall-control/app/main_window.h"
#include "wall-control/messages/told.h"
#include "wall-control/transport/timeline_bar.h"
#include "wall-control/wallview/wall_page.h"

#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QTreeWidget>

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

QJsonObject large_info(int columns, int rows) {
  QJsonArray flows;
  QJsonArray tiles;
  for (int tile = 0; tile < columns * rows; ++tile) {
    flows << QJsonObject{{"flow", tile},        {"tile", QJsonArray{tile % columns, tile / columns}},
                         {"node", "render-01"}, {"first_row", 0},
                         {"rows", 1200},        {"port", 50'000 + 2 * tile}};
    tiles << QJsonArray{tile % columns, tile / columns};
  }
  return {{"wall", QJsonObject{{"name", "large"},
                               {"flows_per_tile", 1},
                               {"playout_delay_ms", 80},
                               {"columns", columns},
                               {"rows", rows},
                               {"tile_width", 1920},
                               {"tile_height", 1200},
                               {"bezel_x", 40},
                               {"bezel_y", 40},
                               {"nodes", QJsonArray{QJsonObject{{"name", "render-01"}, {"tiles", tiles}}}},
                               {"flows", flows}}}};
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

  std::unique_ptr<FakeServer> server_;
  std::unique_ptr<MainWindow> window_;
  WallPage* page_ = nullptr;
  WallView* view_ = nullptr;
  TilePanel* panel_ = nullptr;

  bool was_called(const QString& method, const QJsonObject& params = {}) {
    return QTest::qWaitFor([&] { return server_->calls.contains(std::pair{method, params}); }, 2000);
  }
  void play(int bad = -1) {
    for (int tenth = 0; tenth < 30; ++tenth) server_->tell("stats", full_stats(2, 2, tenth, bad));
    server_->tell("state", playing_state);
    QTRY_VERIFY(view_->accessibleDescription().contains("tile 0,0: frame 46"));
    QTRY_COMPARE(window_->findChild<TimelineBar*>()->frames(), playing_state["frames"].toInt());
  }
  [[nodiscard]] QPoint center_of(int column, int row) const { return view_->rect_of(column, row).center().toPoint(); }
  [[nodiscard]] QString value_in_panel(const QString& group, const QString& name) const {
    auto* tree = window_->findChild<QTreeWidget*>("tile-figures");
    for (int i = 0; i < tree->topLevelItemCount(); ++i)
      for (int row = 0; row < tree->topLevelItem(i)->childCount(); ++row) {
        const auto* item = tree->topLevelItem(i)->child(row);
        if (tree->topLevelItem(i)->text(0) != group || item->text(0) != name) continue;
        return item->toolTip(1).isEmpty() ? "no definition" : item->text(1);
      }
    return "no such figure";
  }
  [[nodiscard]] QToolButton* button_of_panel(const QString& text) const {
    for (auto* button : panel_->findChildren<QToolButton*>())
      if (button->text() == text) return button;
    return nullptr;
  }

private slots:
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
    panel_ = page_->panel();
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

  void a_tile_shows_its_picture_or_says_why_not() {
    play();
    const auto* tile = view_->selected();
    QVERIFY(tile == nullptr);
    view_->select(1, 0);
    tile = view_->selected();
    QCOMPARE(view_->no_picture_because(*tile), QString("no picture has come"));
    server_->tell("picture", picture_of(1, 0, flat({200, 30, 90})));
    QTRY_COMPARE(view_->no_picture_because(*tile), QString());
    const auto shown = view_->grab().toImage();
    QCOMPARE(shown.pixelColor(center_of(1, 0)), QColor(200, 30, 90));
    QVERIFY(shown.pixelColor(center_of(0, 0)) != QColor(200, 30, 90));
    // An invalid preview, or a huge one, changes nothing.
    server_->tell("picture", picture_of(1, 0, flat({1, 2, 3}, {600, 10})));
    server_->tell("picture", {{"tile", QJsonArray{1, 0}}, {"base64", "bm9uc2Vuc2U="}});
    server_->tell("picture", picture_of(0, 0, flat({10, 200, 10})));
    QTRY_COMPARE(view_->grab().toImage().pixelColor(center_of(0, 0)), QColor(10, 200, 10));
    QCOMPARE(view_->grab().toImage().pixelColor(center_of(1, 0)), QColor(200, 30, 90));
    window_->link().disconnect_from();
    QCOMPARE(view_->no_picture_because(*tile), QString("not connected to the server"));
  }

  void each_state_is_told_in_words() {
    play(2);
    const auto headline = [&](int column, int row) {
      view_->select(column, row);
      return view_->state_of(*view_->selected()).headline;
    };
    QCOMPARE(headline(0, 0), QString("frame 46"));
    QVERIFY2(headline(0, 1).contains("frames in trouble"), qPrintable(headline(0, 1)));
    auto state = playing_state;
    state["overlays"] = QJsonArray{QJsonObject{{"tile", QJsonArray{1, 1}}, {"pattern", "grid"}, {"identify", true}}};
    server_->tell("state", state);
    QTRY_COMPARE(headline(1, 1), QString("Grid"));
    auto stats = full_stats(2, 2, 31);
    const auto with_node = [&](const char* key, const QJsonValue& value) {
      auto node = stats["nodes"].toArray()[0].toObject();
      node[key] = value;
      stats["nodes"] = QJsonArray{node};
      server_->tell("stats", stats);
    };
    with_node("age_s", 4.2);
    QTRY_COMPARE(headline(0, 0), QString("silent"));
    auto report = stats["nodes"].toArray()[0].toObject()["report"].toObject();
    report["clock"] = QJsonObject{{"state", "waiting"}};
    with_node("report", report);
    with_node("age_s", 0.1);
    QTRY_COMPARE(headline(0, 0), QString("no clock"));
    with_node("report", {});
    with_node("connected", false);
    QTRY_COMPARE(headline(0, 0), QString("no node"));
    QVERIFY(view_->no_picture_because(*view_->selected()).contains("wall-client"));
  }

  void a_click_opens_the_details_beside_the_wall() {
    play(1);
    QVERIFY(panel_->isHidden());
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(1, 0));
    QVERIFY(panel_->isVisible());
    QVERIFY(view_->isVisible());
    QCOMPARE(window_->findChild<QLabel*>("tile-title")->text(), QString("Tile 1,0"));
    QCOMPARE(value_in_panel("Tile", "Frame rate"), QString("30.0 frame/s"));
    QCOMPARE(value_in_panel("Tile", "Skew"), QString("53 µs"));
    QCOMPARE(value_in_panel("Tile", "Lateness, p99"), QString("1.23 ms"));
    QVERIFY2(value_in_panel("Tile", "Lost").endsWith("30/s"), qPrintable(value_in_panel("Tile", "Lost")));
    QCOMPARE(value_in_panel("Node one", "Load"), QString("41 %"));
    QCOMPARE(value_in_panel("Node one", "Clock"), QString("kept"));
    QCOMPARE(value_in_panel("Flow 1", "Throughput"), QString("1.840 Gbit/s"));
    QCOMPARE(value_in_panel("Flow 1", "Round trip"), QString("not measured"));
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(0, 1));
    QCOMPARE(value_in_panel("Flow 2", "Receiver's CPU"), QString("1"));
    QCOMPARE(value_in_panel("Flow 1", "Throughput"), QString("no such figure"));
  }

  void the_keys_go_from_tile_to_tile() {
    play();
    view_->setFocus();
    server_->calls.clear();
    QTest::keyClick(view_, Qt::Key_Right);
    QTest::keyClick(view_, Qt::Key_Right);
    QTest::keyClick(view_, Qt::Key_Down);
    QTest::keyClick(view_, Qt::Key_Down);
    QCOMPARE((std::pair{view_->selected()->column, view_->selected()->row}), (std::pair{1, 1}));
    QVERIFY(view_->accessibleDescription().startsWith("selected: tile 1,1"));
    QTest::keyClick(view_, Qt::Key_Return);
    QVERIFY(panel_->isVisible());
    QTest::keyClick(view_, Qt::Key_Left);
    QCOMPARE(window_->findChild<QLabel*>("tile-title")->text(), QString("Tile 0,1"));
    QTest::keyClick(view_, Qt::Key_Escape);
    QVERIFY(panel_->isHidden());
    QTest::qWait(50);
    for (const auto& [method, params] : server_->calls) QVERIFY2(method != "seek", "the arrow keys moved the film");
    window_->findChild<TimelineBar*>()->setFocus();
    QTest::keyClick(window_.get(), Qt::Key_Right);
    QVERIFY(was_called("seek", {{"frame", 18}}));
  }

  void the_panel_asks_for_its_tile() {
    play();
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(1, 0));
    const QJsonArray tile{1, 0};
    button_of_panel("Identify tile")->click();
    QVERIFY(was_called("identify", {{"on", true}, {"tile", tile}}));
    button_of_panel("Mark its gaps")->click();
    QVERIFY(was_called("mark", {{"on", true}, {"tile", tile}}));
    button_of_panel("Blank tile")->click();
    QVERIFY(was_called("pattern", {{"pattern", "black"}, {"tile", tile}}));
    auto* pattern = panel_->findChild<QComboBox*>();
    emit pattern->activated(pattern->findData("grid"));
    auto state = playing_state;
    state["overlays"] = QJsonArray{QJsonObject{{"tile", tile}, {"pattern", "black"}, {"identify", true}}};
    server_->tell("state", state);
    QTRY_COMPARE(pattern->currentData().toString(), QString("black"));
    QVERIFY(button_of_panel("Blank tile")->isChecked());
    button_of_panel("Blank tile")->click();
    QVERIFY(was_called("pattern", {{"pattern", "none"}, {"tile", tile}}));
    button_of_panel("Identify tile")->findChild<QMenu*>("copies")->actions().at(0)->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             "wall-control --connect " + server_->address() + " --call identify '{\"on\":false,\"tile\":[1,0]}'");
    window_->link().set_guard(ControlLink::Guard::locked);
    page_->refresh();
    QVERIFY(!button_of_panel("Blank tile")->isEnabled());
  }

  void the_menu_asks_for_a_tile_or_all_and_tells_what_it_calls() {
    play();
    const std::unique_ptr<QMenu> menu(page_->make_menu(0, 1));
    const auto action = [&](const QString& in, const QString& text) -> QAction* {
      for (auto* sub : menu->findChildren<QMenu*>())
        if (sub->title() == in)
          for (auto* made : sub->actions())
            if (made->text() == text) return made;
      for (auto* made : menu->actions())
        if (in.isEmpty() && made->text() == text) return made;
      return nullptr;
    };
    action("", "Identify")->trigger();
    QVERIFY(was_called("identify", {{"on", true}, {"tile", QJsonArray{0, 1}}}));
    action("Pattern", "Ramps")->trigger();
    QVERIFY(was_called("pattern", {{"pattern", "ramp"}, {"tile", QJsonArray{0, 1}}}));
    action("All tiles", "Black")->trigger();
    QVERIFY(was_called("pattern", {{"pattern", "black"}}));
    action("All tiles", "Identify no more")->trigger();
    QVERIFY(was_called("identify", {{"on", false}}));
    server_->calls.clear();
    action("Copy as command line", "Blank")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().endsWith("--call pattern '{\"pattern\":\"black\",\"tile\":[0,1]}'"));
    action("Copy as JSON-RPC", "All tiles: Grid")->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains("\"params\":{\"pattern\":\"grid\"}"));
    QTest::qWait(50);
    QVERIFY(server_->calls.isEmpty());
  }

  void it_reads_well_from_few_tiles_to_many() {
    play(3);
    for (int tile = 0; tile < 3; ++tile)
      server_->tell("picture", picture_of(tile % 2, tile / 2, landscape(tile % 2, tile / 2)));
    QTest::mouseClick(view_, Qt::LeftButton, {}, center_of(1, 0));
    QTest::qWait(100);
    QVERIFY(window_->grab().save(test::picture("wall.png")));
    for (const auto& [columns, rows] : {std::pair{2, 2}, {5, 3}, {8, 4}, {16, 4}}) {
      FlowHistory history;
      WallStatus status;
      TilePictures pictures;
      const auto wall = read_info(large_info(columns, rows)).wall;
      history.set_wall(wall);
      status.set_wall(wall);
      for (int tenth = 0; tenth < 30; ++tenth) {
        auto stats = full_stats(columns, rows, tenth, 2);
        auto node = stats["nodes"].toArray()[0].toObject();
        node["node"] = "render-01";
        stats["nodes"] = QJsonArray{node};
        history.add(stats_from(stats).value());
        status.add(stats_from(stats).value());
      }
      for (int tile = 0; tile < columns * rows; ++tile)
        if (tile != 1)
          pictures.add(
              *decode_picture(picture_of(tile % columns, tile / columns, landscape(tile % columns, tile / columns))));
      WallView view(history, status, pictures);
      view.set_wall(wall);
      view.set_connected(true);
      view.select(0, 1);
      view.resize(560, 360);
      view.refresh();
      QVERIFY(view.accessibleDescription().contains("frames in trouble"));
      QVERIFY(view.grab().save(test::picture(QString("wall-%1x%2.png").arg(columns).arg(rows))));
    }
  }
};

QTEST_MAIN(WallTest)
#include "wall_test.moc"
