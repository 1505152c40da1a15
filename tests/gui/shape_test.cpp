// Walls whose tiles are described one by one: where they are on the canvas, and their names in texts.
#include "tests/gui/canvas_scene.h"
#include "wall-control/messages/wall_shape.h"
#include "wall-control/models/health.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/wallview/tile_words.h"
#include "wall-control/wallview/wall_table_model.h"

using namespace lw;
using namespace lw::test;

namespace {

struct Named {
  const char* name;
  int x, y, width, height;
};

// Landscape 3x2 with portrait wings.
const std::vector<Named> wings{{"wing-left", 0, 140, 1200, 1920},        {"top-left", 1240, 0, 1920, 1080},
                               {"top-middle", 3200, 0, 1920, 1080},      {"top-right", 5160, 0, 1920, 1080},
                               {"bottom-left", 1240, 1120, 1920, 1080},  {"bottom-middle", 3200, 1120, 1920, 1080},
                               {"bottom-right", 5160, 1120, 1920, 1080}, {"wing-right", 7120, 140, 1200, 1920}};

QJsonObject wall_with_wings() {
  const int count = static_cast<int>(wings.size());
  auto info = wall_of(count, 1, 2, 1);
  auto wall = info["wall"].toObject();
  QJsonArray tiles;
  for (const auto& tile : wings)
    tiles << QJsonObject{{"name", tile.name},   {"x", tile.x},           {"y", tile.y},
                         {"width", tile.width}, {"height", tile.height}, {"rotation", 0}};
  for (const auto* size : {"tile_width", "tile_height", "bezel_x", "bezel_y"}) wall[size] = 0;
  wall["tiles"] = tiles;
  info["wall"] = wall;
  return info;
}

}  // namespace

class ShapeTest : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { test::look_like_the_program(); }
  void cleanup() { name_tiles({}); }

  void tiles_are_to_scale_and_found_where_they_are() {
    const auto wall = read_info(wall_with_wings()).wall;
    QCOMPARE(extent_of(wall), QSizeF(8320, 2200));
    QCOMPARE(pixels_of(wall), 6 * 1920 * 1080 + 2 * 1200 * 1920);
    WallGeometry geometry;
    geometry.set_wall(wall);
    geometry.set_port({0, 0, 900, 500});
    QVERIFY(geometry.is_free());
    const double scale = geometry.wall_rect().width() / 8320;
    for (int i = 0; i < geometry.columns(); ++i) {
      const auto& tile = wings[static_cast<std::size_t>(i)];
      const auto place = geometry.tile_rect(i, 0).translated(-geometry.wall_rect().topLeft());
      QVERIFY(std::abs(place.left() - tile.x * scale) < 1e-6 && std::abs(place.height() - tile.height * scale) < 1e-6);
      QCOMPARE(geometry.tile_at(geometry.tile_rect(i, 0).center()), std::pair(i, 0));
    }
    QVERIFY(!geometry.tile_at(geometry.from_wall({600, 70})));    // above the left wing
    QVERIFY(!geometry.tile_at(geometry.from_wall({3180, 500})));  // behind a bezel
  }

  void arrows_go_to_the_tile_beside() {
    WallGeometry geometry;
    geometry.set_wall(read_info(wall_with_wings()).wall);
    geometry.set_port({0, 0, 900, 500});
    const auto beside = [&](int from, int right, int down) { return geometry.beside({from, 0}, right, down).first; };
    QCOMPARE(beside(1, 1, 0), 2);
    QCOMPARE(beside(2, 0, 1), 5);
    QCOMPARE(beside(5, 0, -1), 2);
    QCOMPARE(beside(1, -1, 0), 0);
    QCOMPARE(beside(6, 1, 0), 7);
    QCOMPARE(beside(7, 1, 0), 7);  // the edge
    QCOMPARE(beside(2, 0, -1), 2);
  }

  void texts_name_the_tiles() {
    Scene wall(wall_with_wings(), static_cast<int>(wings.size()), 1, {1100, 460}, {{{2, 0}, Fault::frames}});
    QCOMPARE(tile_name(7, 0), QString("wing-right"));
    QCOMPARE(with_tile("Tile %1,%2 on %3", 0, 0).arg("a"), QString("Tile wing-left on a"));
    QVERIFY(wall.view->words_of(2, 0).contains("top-middle"));
    // A grid that is shown later has its numbers again.
    name_tiles(read_info(wall_of(8, 1, 2, 1)).wall);
    QCOMPARE(tile_name(7, 0), QString("7,0"));
  }

  // Each tile is its preview, and what lies between tiles is black.
  void the_canvas_shows_the_shape() {
    Scene wall(wall_with_wings(), static_cast<int>(wings.size()), 1, {1100, 460}, {{{2, 0}, Fault::frames}});
    wall.settle();
    const auto shown = wall.grab();
    const auto& geometry = wall.view->geometry();
    for (const int column : {0, 1, 6, 7}) {
      const auto place = geometry.tile_pixels(column, 0);
      const auto preview = preview_of(wall.columns, 1, column, 0)
                               .scaled(place.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                               .convertToFormat(QImage::Format_RGB32);
      QCOMPARE(shown.copy(place).convertToFormat(QImage::Format_RGB32), preview);
    }
    QCOMPARE(shown.pixelColor(geometry.from_wall({600, 70}).toPoint()), QColor(Qt::black));
    wall.save("wings");
  }
};

QTEST_MAIN(ShapeTest)
#include "shape_test.moc"
