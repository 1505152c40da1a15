// Pins the skew of a frame: the spread over all tiles, and nothing for a frame that one of them did not show.
#include "server/control/skew_watch.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("skew is the spread of a frame's swaps over all tiles") {
  SkewWatch watch(3);
  CHECK_FALSE(watch.skew_us().max());
  watch.add({0}, 1000, 10);
  watch.add({1}, 1000, -20);
  watch.add({1}, 1000, 500);  // told twice
  CHECK(watch.frames() == 0);
  watch.add({0}, 34333, 5);  // the next one, before the first is complete
  watch.add({2}, 1000, 30);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 50);
  watch.add({2}, 34333, 5);
  watch.add({1}, 34333, 5);
  CHECK(watch.frames() == 2);
  CHECK(watch.skew_us().quantile(0.5) == 0);
  CHECK(watch.skew_us().max() == 50);
}

TEST_CASE("frames that a tile did not show are not counted") {
  SkewWatch watch(2);
  CHECK(watch.by_tile_us().empty());
  for (std::int64_t pts = 0; pts < 1000; ++pts) watch.add({0}, pts, 0);
  watch.add({1}, 0, 0);  // far too late
  CHECK(watch.frames() == 0);
  watch.add({1}, 999, 7);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 7);
  CHECK(watch.by_tile_us() == std::vector<double>{0, 7});
}

TEST_CASE("a wall of one tile has no skew") {
  SkewWatch watch(1);
  watch.add({0}, 5, 100);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 0);
}
