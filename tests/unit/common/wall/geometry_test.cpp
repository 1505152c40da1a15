#include "common/wall/geometry.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

Wall make_wall() {
  Wall wall;
  wall.set_grid({.columns = 3, .rows = 2, .tile_width = 100, .tile_height = 50, .bezel_x = 7, .bezel_y = 3});
  wall.streaming.flows_per_tile = 4;
  return wall;
}

TEST_CASE("tiles and the bezels between them make up the canvas") {
  const auto wall = make_wall();
  CHECK(picture_rect(wall) == Rect{0, 0, 314, 103});
}

TEST_CASE("the canvas reaches to the farthest tiles, wherever they are in the list") {
  Wall wall;
  wall.tiles = {{"right", {120, 40, 30, 20}, {}}, {"left", {0, 10, 100, 80}, {}}};
  CHECK(picture_rect(wall) == Rect{0, 0, 150, 90});
}

TEST_CASE("each tile is cut by its own height, and its bands carry its own width") {
  Wall wall;
  wall.frame_rate = {30, 1};
  wall.tiles = {{"low", {0, 0, 100, 5}, {}}, {"high", {100, 0, 200, 9}, {}}};
  wall.streaming.flows_per_tile = 2;
  const auto bands = all_bands(wall);
  REQUIRE(bands.size() == 4);
  CHECK((bands[1].rows == 2 && bands[1].first_row == 3 && bands[1].tile == TileIndex{0}));
  CHECK((bands[2].rows == 5 && bands[2].first_row == 0 && bands[2].tile == TileIndex{1}));
  CHECK(wall.tile_of_flow(3) == TileIndex{1});
  CHECK(band_rate_max(wall, bands[2]).bits_per_second == Approx(5 * 200 * 3 * 8 * 30));
  wall.streaming.pixel_format = PixelFormat::rgb10;
  CHECK(band_rate_max(wall, bands[2]).bits_per_second == Approx(5 * 200 * 30 * 30));
}

TEST_CASE("bands cover a tile without gaps, the upper ones one row taller") {
  const auto bands = bands_of(make_wall(), {4});
  REQUIRE(bands.size() == 4);
  const unsigned rows[] = {13, 13, 12, 12};
  unsigned next = 0;
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(bands[i].flow == 16 + i);
    CHECK(bands[i].tile == TileIndex{4});
    CHECK(bands[i].first_row == next);
    CHECK(bands[i].rows == rows[i]);
    next += bands[i].rows;
  }
  CHECK(next == 50);
}

TEST_CASE("all bands are indexed by flow and have their own ports") {
  const auto wall = make_wall();
  const auto bands = all_bands(wall);
  REQUIRE(bands.size() == wall.flow_count());
  for (unsigned flow = 0; flow < bands.size(); ++flow) {
    CHECK(bands[flow].flow == flow);
    CHECK(media_port(wall, flow) == 50000 + 2 * flow);
    CHECK(source_port(wall, flow) == 40000 + 2 * flow);
  }
}

}  // namespace
}  // namespace lw
