// Pins the skew of a frame: the spread over all tiles, and no value for a frame that one of them did not show, or while
// the clocks' difference is unknown.
#include "server/control/skew_watch.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("skew is the spread of a frame's swaps over all tiles") {
  SkewWatch watch(3);
  CHECK_FALSE(watch.skew_us().max());
  watch.add({0}, 1000, 10, 0);
  watch.add({1}, 1000, -20, 0);
  watch.add({1}, 1000, 500, 0);  // reported twice
  CHECK(watch.frames() == 0);
  watch.add({0}, 34333, 5, 0);  // the next one, before the first is complete
  watch.add({2}, 1000, 30, 0);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 50);
  watch.add({2}, 34333, 5, 0);
  watch.add({1}, 34333, 5, 0);
  CHECK(watch.frames() == 2);
  CHECK(watch.skew_us().quantile(0.5) == 0);
  CHECK(watch.skew_us().max() == 50);
}

TEST_CASE("frames that a tile did not show are not counted") {
  SkewWatch watch(2);
  CHECK(watch.by_tile_us().empty());
  for (std::int64_t pts = 0; pts < 1000; ++pts) watch.add({0}, pts, 0, 0);
  watch.add({1}, 0, 0, 0);  // far too late
  CHECK(watch.frames() == 0);
  watch.add({1}, 999, 7, 0);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 7);
  CHECK(watch.by_tile_us() == std::vector<std::optional<double>>{0, 7});
}

TEST_CASE("a wall of one tile has no skew") {
  SkewWatch watch(1);
  watch.add({0}, 5, 100, 0);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 0);
}

TEST_CASE("the error of the skew is the largest that the clocks may have had while its frames were shown") {
  SkewWatch watch(2);
  CHECK_FALSE(watch.error_us());
  watch.add({0}, 1, 0, 40);
  watch.add({1}, 1, 100, 90);
  CHECK(watch.error_us() == 90);
  watch.add({0}, 2, 0, 20);
  watch.add({1}, 2, 100, 20);
  CHECK(watch.error_us() == 90);  // some of the newest are only this accurate
}

TEST_CASE("the skew is absent while nobody knows how far the clocks are apart") {
  SkewWatch watch(2);
  watch.add({0}, 1, 0, {});
  watch.add({1}, 1, 100, 90);
  CHECK(watch.frames() == 1);
  CHECK_FALSE(watch.skew_us().max());
  CHECK_FALSE(watch.error_us());
  CHECK(watch.by_tile_us().empty());
  watch.add({0}, 2, 0, 90);
  watch.add({1}, 2, 100, 90);
  CHECK(watch.skew_us().max() == 100);
  watch.add({0}, 3, 0, 90);
  watch.add({1}, 3, 30, {});
  CHECK(watch.frames() == 3);
  CHECK_FALSE(watch.skew_us().max());  // not an old value
  CHECK_FALSE(watch.error_us());
  CHECK(watch.by_tile_us().empty());
}

TEST_CASE("tiles that do not report do not count for the skew until they do") {
  SkewWatch watch(3);
  watch.expect({true, true, false});
  watch.add({0}, 1, 0, 0);
  CHECK(watch.frames() == 0);
  watch.add({1}, 1, 7, 0);
  CHECK(watch.frames() == 1);
  CHECK(watch.skew_us().max() == 7);
  CHECK(watch.by_tile_us() == std::vector<std::optional<double>>{0, 7, std::nullopt});
  watch.add({0}, 2, 0, 0);
  watch.expect({true, true, true});
  watch.add({1}, 2, 0, 0);
  CHECK(watch.frames() == 1);
  watch.add({2}, 2, 9, 0);
  CHECK(watch.frames() == 2);
  CHECK(watch.skew_us().max() == 9);
  // Nobody reports: there is nothing to compare.
  watch.expect({false, false, false});
  watch.add({0}, 3, 0, 0);
  CHECK(watch.frames() == 2);
}
