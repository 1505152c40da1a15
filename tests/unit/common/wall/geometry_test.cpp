#include "common/wall/geometry.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

Wall make_wall() {
  Wall wall;
  wall.columns = 3;
  wall.rows = 2;
  wall.tile_width = 100;
  wall.tile_height = 50;
  wall.bezel_x = 7;
  wall.bezel_y = 3;
  wall.streaming.flows_per_tile = 4;
  return wall;
}

TEST_CASE("tiles and the bezels between them make up the canvas") {
  const auto wall = make_wall();
  CHECK(picture_rect(wall) == Rect{0, 0, 314, 103});
  CHECK(tile_rect(wall, {0, 0}) == Rect{0, 0, 100, 50});
  CHECK(tile_rect(wall, {2, 1}) == Rect{214, 53, 100, 50});
  CHECK(wall.index({2, 1}) == 5);
  CHECK(wall.tile(5) == TileId{2, 1});
}

TEST_CASE("bands cover a tile without gaps, the upper ones one row taller") {
  const auto bands = bands_of(make_wall(), {1, 1});
  REQUIRE(bands.size() == 4);
  const unsigned rows[] = {13, 13, 12, 12};
  unsigned next = 0;
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(bands[i].flow == 16 + i);
    CHECK(bands[i].tile == TileId{1, 1});
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
