#include "probe/mpcdi/place_on_tile.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;

namespace {

MpcdiRegion region_at(double x, double y, double width, double height) {
  MpcdiRegion region;
  region.x = x;
  region.y = y;
  region.width = width;
  region.height = height;
  return region;
}

}  // namespace

TEST_CASE("y of regions begins at the bottom, y of tiles at the top") {
  const Canvas canvas{0, 1000, 400};
  CHECK(tile_of(region_at(0, 0, 0.5, 0.25), canvas) == Rect{0, 300, 500, 100});
  CHECK(tile_of(region_at(0.5, 0.75, 0.5, 0.25), canvas) == Rect{500, 0, 500, 100});
  CHECK(tile_of(region_at(0, 0, 1, 1), {600, 1000, 400}) == Rect{600, 0, 1000, 400});
}

TEST_CASE("a tile begins and ends at even columns, also where six digits miss them") {
  const Canvas canvas{0, 6000, 3000};
  CHECK(tile_of(region_at(0.333333, 0, 0.333334, 1), canvas) == Rect{2000, 0, 2000, 3000});
  CHECK(tile_of(region_at(0.3335, 0.0001, 0.3335, 0.5), canvas) == Rect{2000, 1499, 2002, 1501});
  CHECK(tile_of(region_at(0.9999, 0, 0.0001, 0.0001), {0, 2, 1}) == Rect{0, 0, 2, 1});
}

// The law that makes imported projectors meet: whatever was rounded, a place of the warp stays where it is on the wall.
TEST_CASE("places of a warp stay where they are on the wall") {
  std::mt19937_64 random(11);
  const auto part = [&random](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int round = 0; round < 20'000; ++round) {
    const Canvas canvas{part(0, 3000), part(2, 9000), part(1, 5000)};
    const double x = part(0, 0.9), y = part(0, 0.9);
    const auto region = region_at(x, y, part(0.001, 1 - x), part(0.001, 1 - y));
    const auto tile = tile_of(region, canvas);
    const double u = part(0, 1), v = part(0, 1);
    const double left = canvas.x + region.x * canvas.width, wide = region.width * canvas.width;
    const double bottom = (1 - region.y) * canvas.height, high = region.height * canvas.height;
    // It has all of the region but for a rounding, and less than two pixels more.
    CHECK((tile.x % 2 == 0 && tile.width % 2 == 0));
    CHECK((tile.x <= left + 0.06 && tile.x + tile.width >= left + wide - 0.06));
    CHECK((tile.y <= bottom - high + 0.06 && tile.y + tile.height >= bottom - 0.06));
    CHECK((tile.width <= wide + 4.1 && tile.height <= high + 2.1));
    const auto by_region = place_on_tile(region, canvas, tile, WarpValues::of_region);
    CHECK(tile.x + (by_region.x_scale * u + by_region.x_from) * tile.width == Approx(left + u * wide).margin(1e-6));
    CHECK(tile.y + (by_region.y_scale * v + by_region.y_from) * tile.height == Approx(bottom - v * high).margin(1e-6));
    const auto by_buffer = place_on_tile(region, canvas, tile, WarpValues::of_buffer);
    const double u_all = region.x + u * region.width, v_all = region.y + v * region.height;
    CHECK(tile.x + (by_buffer.x_scale * u_all + by_buffer.x_from) * tile.width == Approx(left + u * wide).margin(1e-6));
    CHECK(tile.y + (by_buffer.y_scale * v_all + by_buffer.y_from) * tile.height ==
          Approx(bottom - v * high).margin(1e-6));
  }
}

TEST_CASE("a region that fills its tile needs no warp") {
  const Canvas canvas{0, 1000, 400};
  const auto whole = region_at(0, 0, 0.5, 0.25);
  const auto tile = tile_of(whole, canvas);
  CHECK(shows_tile_as_it_is(place_on_tile(whole, canvas, tile, WarpValues::of_region), tile));
  const auto odd = region_at(0, 0, 0.501, 0.25);
  const auto larger = tile_of(odd, canvas);
  CHECK_FALSE(shows_tile_as_it_is(place_on_tile(odd, canvas, larger, WarpValues::of_region), larger));
}
