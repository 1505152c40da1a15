// Pins how a grid becomes a list of named rectangles, and how messages and files address its tiles.
#include "common/wall/grid.h"

#include "common/wall/wall_file.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

constexpr Grid grid{.columns = 3, .rows = 2, .tile_width = 100, .tile_height = 50, .bezel_x = 7, .bezel_y = 3};

TEST_CASE("a grid stands for named rectangles, row by row from the top left") {
  CHECK(tiles_of(grid) == std::vector<Tile>{{"tile-0-0", {0, 0, 100, 50}, {0, 0}},
                                            {"tile-1-0", {107, 0, 100, 50}, {1, 0}},
                                            {"tile-2-0", {214, 0, 100, 50}, {2, 0}},
                                            {"tile-0-1", {0, 53, 100, 50}, {0, 1}},
                                            {"tile-1-1", {107, 53, 100, 50}, {1, 1}},
                                            {"tile-2-1", {214, 53, 100, 50}, {2, 1}}});
  CHECK(tiles_of({}).empty());
}

TEST_CASE("texts for people name a tile by its column and row") { CHECK(tiles_of(grid)[5].number() == "2,1"); }

TEST_CASE("a wall finds its tiles by their cells") {
  Wall wall;
  wall.set_grid(grid);
  CHECK(wall.grid == grid);
  REQUIRE(wall.tile_count() == 6);
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value)
    CHECK(wall.find_tile(wall.tile(tile).cell) == tile);
  CHECK(wall.find_tile({2, 1}) == TileIndex{5});
  CHECK_FALSE(wall.find_tile({3, 0}));
  CHECK_FALSE(wall.find_tile({0, 2}));
}

TEST_CASE("flows are counted tile by tile") {
  Wall wall;
  wall.set_grid(grid);
  wall.streaming.flows_per_tile = 4;
  CHECK(wall.flow_count() == 24);
  CHECK(wall.tile_of_flow(0) == TileIndex{0});
  CHECK(wall.tile_of_flow(19) == TileIndex{4});
  CHECK(wall.tile_of_flow(23) == TileIndex{5});
}

}  // namespace
}  // namespace lw
