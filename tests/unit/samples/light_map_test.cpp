// Pins drawing: light is neither made nor lost, whatever the size of the splat, and falls where it was aimed.
#include "samples/light_map.h"

#include <catch2/catch.hpp>

using namespace lw::cosmos;

namespace {

struct Seen {
  double light = 0, x = 0, y = 0;
};

Seen draw_one(LightMap& map, const Splat& splat) {
  map.draw(1, [&](int, LightMap::Part& part) { part.add(splat); });
  Seen seen;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x) {
      seen.light += map.light(x, y);
      seen.x += map.light(x, y) * (x + 0.5);
      seen.y += map.light(x, y) * (y + 0.5);
    }
  seen.x /= seen.light;
  seen.y /= seen.light;
  return seen;
}

}  // namespace

TEST_CASE("a splat of any size brings its light to its place") {
  LightMap map(400, 300, {2});
  const float variance = GENERATE(1.0F, 9.0F, 100.0F, 900.0F);
  const auto seen = draw_one(map, {201.3F, 148.6F, variance, 0, variance / 2, 5.0F, 0.5F});
  INFO("variance " << variance);
  CHECK(seen.light == Approx(5).epsilon(0.05));
  CHECK(seen.x == Approx(201.3).margin(0.5));
  CHECK(seen.y == Approx(148.6).margin(0.5));
  CHECK(map.mean_heat(201, 148) == Approx(0.5).epsilon(0.01));
}

TEST_CASE("drawing darkens the map first") {
  LightMap map(64, 64, {2});
  draw_one(map, {32, 32, 4, 0, 4, 1, 0});
  const auto again = draw_one(map, {32, 32, 4, 0, 4, 1, 0});
  CHECK(again.light == Approx(1).epsilon(0.05));
}
