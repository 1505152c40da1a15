// Laws of turned panels: every pixel of a tile is on its panel once, neighbours stay neighbours, and turns add up.
#include "common/wall/turn.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>
#include <set>
#include <utility>

namespace lw {
namespace {

constexpr Turn all_turns[] = {Turn::none, Turn::quarter, Turn::half, Turn::three_quarters};

TEST_CASE("a panel that hangs turned shows its tile upright") {
  // Of a tile of 3 x 2 pixels: what the corners of its panel show.
  constexpr TurnSize tile{3, 2};
  CHECK(panel_size(Turn::quarter, tile) == TurnSize{2, 3});
  const auto quarter = turn_map(Turn::quarter, tile);  // the panel's top is on the right
  CHECK(quarter.shown_by({0, 0}) == TurnPoint{2, 0});
  CHECK(quarter.shown_by({1, 0}) == TurnPoint{2, 1});
  CHECK(quarter.shown_by({0, 2}) == TurnPoint{0, 0});
  const auto half = turn_map(Turn::half, tile);
  CHECK(half.shown_by({0, 0}) == TurnPoint{2, 1});
  CHECK(half.shown_by({2, 1}) == TurnPoint{0, 0});
  const auto back = turn_map(Turn::three_quarters, tile);  // the panel's top is on the left
  CHECK(back.shown_by({0, 0}) == TurnPoint{0, 1});
  CHECK(back.shown_by({0, 2}) == TurnPoint{2, 1});
}

TEST_CASE("a panel shows each pixel of its tile once, and neighbours beside each other") {
  std::mt19937 random(25);
  for (int round = 0; round < 50; ++round)
    for (const auto turn : all_turns) {
      const TurnSize tile{static_cast<int>(1 + random() % 40), static_cast<int>(1 + random() % 40)};
      const auto panel = panel_size(turn, tile);
      const auto map = turn_map(turn, tile);
      CAPTURE(static_cast<int>(turn), tile.width, tile.height);
      std::set<std::pair<int, int>> shown;
      for (int y = 0; y < panel.height; ++y)
        for (int x = 0; x < panel.width; ++x) {
          const auto at = map.shown_by({x, y});
          REQUIRE((at.x >= 0 && at.y >= 0 && at.x < tile.width && at.y < tile.height));
          shown.emplace(at.x, at.y);
          const auto beside = map.shown_by({x + 1, y});
          REQUIRE(std::abs(beside.x - at.x) + std::abs(beside.y - at.y) == 1);
        }
      REQUIRE(shown.size() == static_cast<std::size_t>(tile.width * tile.height));
    }
}

TEST_CASE("two quarter turns are a half, and a turn and its opposite are none") {
  std::mt19937 random(26);
  for (int round = 0; round < 200; ++round) {
    const TurnSize tile{static_cast<int>(1 + random() % 40), static_cast<int>(1 + random() % 40)};
    for (const auto first : all_turns)
      for (const auto second : all_turns) {
        const auto both = static_cast<Turn>((static_cast<int>(first) + static_cast<int>(second)) % 4);
        const auto between = panel_size(first, tile);
        const auto panel = panel_size(second, between);
        REQUIRE(panel == panel_size(both, tile));
        const TurnPoint at{static_cast<int>(random() % static_cast<unsigned>(panel.width)),
                           static_cast<int>(random() % static_cast<unsigned>(panel.height))};
        REQUIRE(turn_map(first, tile).shown_by(turn_map(second, between).shown_by(at)) ==
                turn_map(both, tile).shown_by(at));
      }
  }
}

}  // namespace
}  // namespace lw
