// Several tiles selected on the canvas, and the tiles grouped by node.
#include "tests/gui/canvas_scene.h"

#include <QAccessible>

#include <algorithm>
#include <random>
#include <set>

using namespace lw;
using namespace lw::test;

class SelectionTest : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { look_like_the_program(); }
  void cleanup() { colors::use(Theme::dark); }

  // A selection has no tile twice and none that the wall lacks, and everything else follows exactly these tiles.
  void a_selection_is_a_set_of_tiles_of_the_wall() {
    std::mt19937 random(5);
    Scene wall(6, 4, 2, 2, {700, 500});
    std::set<std::pair<int, int>> expected;
    for (int step = 0; step < 400; ++step) {
      const std::pair place{static_cast<int>(random() % 8) - 1, static_cast<int>(random() % 6) - 1};
      const bool known = place.first >= 0 && place.first < 6 && place.second >= 0 && place.second < 4;
      if (random() % 10 == 0) {
        Focus::Tiles some{place, place};
        for (int i = 0; i < 4; ++i) some.emplace_back(static_cast<int>(random() % 6), static_cast<int>(random() % 4));
        wall.focus.show_tiles(some);
        expected = {some.begin() + (known ? 0 : 2), some.end()};
      } else if (known) {
        wall.focus.toggle_tile(place.first, place.second);
        if (expected.erase(place) == 0) expected.insert(place);
      }
      const auto tiles = wall.focus.tiles();
      QCOMPARE((std::set<std::pair<int, int>>(tiles.begin(), tiles.end())), expected);
      QCOMPARE(tiles.size(), expected.size());
      if (expected.empty()) {
        QCOMPARE(wall.focus.part(), Part());
        continue;
      }
      QVERIFY(std::ranges::is_sorted(wall.focus.part().others));
      QCOMPARE(wall.history.lines(Quantity::jitter, wall.focus.part()).size(), expected.size());
      for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 6; ++column)
          QCOMPARE(wall.view->is_selected(column, row), expected.contains({column, row}));
    }
    QCOMPARE(name_of(Part{0, 0, {}, {}, {{1, 0}, {2, 0}}}), QString("3 tiles"));
    // One level up is their node, if they have one.
    wall.focus.show_tiles({{0, 0}, {1, 1}});
    wall.focus.up();
    QCOMPARE(wall.focus.part().node, QString("render-1"));
    wall.focus.show_tiles({{0, 0}, {2, 0}});
    wall.focus.up();
    QCOMPARE(wall.focus.part(), Part());
  }

  void several_tiles_are_selected_by_mouse_and_keyboard() {
    Scene wall(5, 3, 1, 3, {1100, 460});
    using Tiles = std::set<std::pair<int, int>>;
    const auto chosen = [&] {
      const auto tiles = wall.focus.tiles();
      return Tiles(tiles.begin(), tiles.end());
    };
    const auto center = [&](int column, int row) { return wall.view->rect_of(column, row).center().toPoint(); };
    const auto click = [&](int column, int row, Qt::KeyboardModifiers keys = {}) {
      QTest::mouseClick(wall.view, Qt::LeftButton, keys, center(column, row));
    };
    click(1, 1);
    click(3, 0, Qt::ControlModifier);
    QCOMPARE(chosen(), (Tiles{{1, 1}, {3, 0}}));
    QCOMPARE(wall.view->selected()->column, 3);
    click(1, 1, Qt::ControlModifier);
    QCOMPARE(chosen(), (Tiles{{3, 0}}));
    click(4, 1, Qt::ShiftModifier);
    QCOMPARE(chosen(), (Tiles{{3, 0}, {4, 0}, {3, 1}, {4, 1}}));
    // From where the selection began, not from the last tile.
    click(2, 0, Qt::ShiftModifier);
    QCOMPARE(chosen(), (Tiles{{3, 0}, {2, 0}}));
    click(0, 0);
    QTest::keyClick(wall.view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(wall.view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(chosen(), (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
    QTest::keyClick(wall.view, Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(chosen(), (Tiles{{0, 0}, {1, 0}}));
    QTest::keyClick(wall.view, Qt::Key_Escape);
    QVERIFY(chosen().empty());
    // A band selects what it touches; with Ctrl, in addition.
    const auto drag = [&](const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys) {
      QTest::mousePress(wall.view, Qt::LeftButton, keys, from);
      QTest::mouseMove(wall.view, (from + to) / 2);
      QTest::mouseMove(wall.view, to);
      QTest::mouseRelease(wall.view, Qt::LeftButton, keys, to);
    };
    drag(center(3, 1), center(4, 2), {});
    QCOMPARE(chosen(), (Tiles{{3, 1}, {4, 1}, {3, 2}, {4, 2}}));
    QCOMPARE(wall.view->selected()->column, 3);
    drag(center(0, 2), center(1, 2), Qt::ControlModifier);
    QCOMPARE(chosen().size(), 6U);
    auto* grid = QAccessible::queryAccessibleInterface(wall.view)->tableInterface();
    QCOMPARE(grid->selectedCellCount(), 6);
    QVERIFY(grid->selectedCells().contains(grid->cellAt(2, 4)));
    const auto place = wall.view->geometry().tile_pixels(4, 1);
    QCOMPARE(wall.grab().pixelColor(place.left() - 2, place.center().y()), QColor(Qt::white));
  }

  // Every tile once, at its place in its node; nothing overlaps, captions included.
  void grouped_tiles_keep_their_place_in_their_node() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
      const int columns = 1 + static_cast<int>(random() % 12), rows = 1 + static_cast<int>(random() % 8);
      const int nodes = 1 + static_cast<int>(random() % 9);
      WallGeometry geometry;
      geometry.set_wall(read_info(wall_of(columns, rows, 1, 1)).wall);
      geometry.set_port(
          QRectF(20, 10, 300 + static_cast<int>(random() % 1200), 240 + static_cast<int>(random() % 700)));
      const auto as_it_is = geometry;
      std::vector<WallGeometry::Block> blocks(static_cast<std::size_t>(nodes));
      for (int tile = 0; tile < columns * rows; ++tile)
        blocks[random() % blocks.size()].emplace_back(tile % columns, tile / columns);
      std::erase_if(blocks, [](const auto& block) { return block.empty(); });
      constexpr double caption = 22;
      geometry.set_blocks(blocks, caption);
      if (random() % 2 == 0) geometry.zoom_about(geometry.port().center(), 1.5);
      const auto around = geometry.wall_rect().adjusted(-0.1, -0.1, 0.1, 0.1);
      if (!geometry.zoomed()) QVERIFY(geometry.port().contains(geometry.wall_rect()));
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto place = geometry.block_rect(i).adjusted(0, 0, 0, caption);
        QVERIFY(around.contains(place));
        for (std::size_t j = 0; j < i; ++j)
          QVERIFY(!place.intersects(geometry.block_rect(j).adjusted(0, 0, 0, caption)));
        const auto [first_column, first_row] = blocks[i].front();
        const auto first = geometry.tile_rect(first_column, first_row);
        for (const auto& [column, row] : blocks[i]) {
          const auto tile = geometry.tile_rect(column, row);
          QVERIFY(geometry.block_rect(i).adjusted(-0.1, -0.1, 0.1, 0.1).contains(tile));
          if (geometry.port().contains(tile.center()))
            QCOMPARE(geometry.tile_at(tile.center()), (std::optional(std::pair{column, row})));
          const auto offset = (tile.topLeft() - first.topLeft()) / tile.width();
          const auto real = as_it_is.tile_rect(column, row);
          const auto expected = (real.topLeft() - as_it_is.tile_rect(first_column, first_row).topLeft()) / real.width();
          QVERIFY((offset - expected).manhattanLength() < 1e-6);
        }
      }
      geometry.set_blocks({}, 0);
      QCOMPARE(geometry.wall_rect(), as_it_is.wall_rect());
    }
  }

  void grouped_by_node_each_has_its_name() {
    Scene wall(8, 4, 4, 2, {1100, 460}, {{{5, 1}, Fault::frames}});
    QTRY_COMPARE(wall.view->problems().size(), 1U);
    wall.view->set_grouped(true);
    wall.settle();
    // Every node has its bracket, though none is alone in its columns: a click there selects the node.
    for (int node = 0; node < 4; ++node) {
      const auto last = wall.view->rect_of(node % 2 * 4, node / 2 * 2 + 1);
      QTest::mouseClick(wall.view, Qt::LeftButton, {}, (last.bottomLeft() + QPointF(last.width(), 16)).toPoint());
      QCOMPARE(wall.focus.part().node, QString("render-%1").arg(node + 1));
    }
    QTest::mouseClick(wall.view, Qt::LeftButton, {}, wall.view->rect_of(5, 1).center().toPoint());
    QCOMPARE(wall.focus.part(), (Part{5, 1, {}, {}}));
    // A saved image is of the wall as it is.
    const auto grouped = wall.view->image();
    wall.view->set_grouped(false);
    QCOMPARE(wall.view->image(), grouped);
  }

  void it_reads_well() {
    Scene several(5, 3, 1, 3, {920, 500}, incident());
    several.focus.show_tiles({{3, 1}, {2, 1}, {2, 2}, {3, 2}});
    several.save("5x3-several");
    for (const auto& [theme, name] :
         {std::pair{Theme::dark, "dark"}, {Theme::light, "light"}, {Theme::high_contrast, "contrast"}}) {
      colors::use(theme);
      Scene grouped(32, 16, 4, 2, {1200, 640}, large_incident());
      grouped.view->set_grouped(true);
      grouped.focus.show({{}, {}, {}, "render-29"});
      grouped.save(QString("32x16-grouped-%1").arg(name));
      Scene fewer(6, 4, 2, 2, {900, 500}, {{{3, 1}, Fault::frames}, {{1, 2}, Fault::frames}});
      fewer.view->set_grouped(true);
      fewer.view->select(2, 2);
      fewer.save(QString("6x4-grouped-%1").arg(name));
    }
  }
};

QTEST_MAIN(SelectionTest)
#include "selection_test.moc"
