// Which monitors one window covers: a rectangle of them, without gaps and of the same rate.
#include "wall-client/display/gl/gl_window.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace lw;

namespace {

int any_monitor = 0;

ScreenPlace monitor(int x, int y, int width = 3840, int height = 2160, int refresh_rate = 60) {
  return {x, y, width, height, reinterpret_cast<GLFWmonitor*>(&any_monitor), refresh_rate};
}

}  // namespace

TEST_CASE("one window covers monitors that are a rectangle") {
  const auto row = place_over({monitor(3840, 0), monitor(0, 0)}, true);
  REQUIRE(row);
  CHECK((row->x == 0 && row->y == 0 && row->width == 7680 && row->height == 2160));
  CHECK(row->monitor == nullptr);
  const auto square = place_over({monitor(100, 50), monitor(3940, 50), monitor(100, 2210), monitor(3940, 2210)}, true);
  REQUIRE(square);
  CHECK((square->x == 100 && square->y == 50 && square->width == 7680 && square->height == 4320));
  CHECK(place_over({monitor(0, 0, 1920, 2160), monitor(1920, 0)}, true));  // of different widths
}

TEST_CASE("monitors that one window cannot cover exactly") {
  CHECK_FALSE(place_over({monitor(0, 0), monitor(3840, 0), monitor(0, 2160)}, true));             // a corner is missing
  CHECK_FALSE(place_over({monitor(0, 0), monitor(3850, 0)}, true));                               // a gap
  CHECK_FALSE(place_over({monitor(0, 0), monitor(3840, 0, 3840, 2160, 50)}, true));               // rates
  CHECK_FALSE(place_over({{0, 0, 640, 400, nullptr, 0}, {640, 0, 640, 400, nullptr, 0}}, true));  // no monitors
}

TEST_CASE("if asked to, one window covers gaps, but never shows a place twice") {
  const auto over = place_over({{10, 20, 640, 400, nullptr, 0}, {658, 20, 640, 400, nullptr, 0}}, false);
  REQUIRE(over);
  CHECK((over->x == 10 && over->y == 20 && over->width == 1288 && over->height == 400));
  CHECK_FALSE(place_over({monitor(0, 0), monitor(0, 0)}, false));  // mirrored
  CHECK_FALSE(place_over({monitor(0, 0), monitor(3839, 2159)}, false));
}

TEST_CASE("what a window covers contains each place, and exactly means nothing else") {
  const auto seed = GENERATE(range(0U, 300U));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<ScreenPlace> places;
  for (int i = 1 + below(4); i >= 0; --i) places.push_back(monitor(below(4) * 10, below(4) * 10, 10, 10));
  const auto over = place_over(places, true);
  std::vector<int> shown(40 * 40);  // how many places show a pixel
  for (const auto& place : places)
    for (int y = place.y; y < place.y + 10; ++y)
      for (int x = place.x; x < place.x + 10; ++x) ++shown[static_cast<std::size_t>(y * 40 + x)];
  const bool twice = std::ranges::any_of(shown, [](int count) { return count > 1; });
  if (twice) REQUIRE_FALSE(over);
  if (!over) return;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool covered = x >= over->x && x < over->x + over->width && y >= over->y && y < over->y + over->height;
      REQUIRE(shown[static_cast<std::size_t>(y * 40 + x)] == (covered ? 1 : 0));
    }
}
