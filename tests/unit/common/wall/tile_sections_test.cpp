// Walls of any shape: tiles that the wall file describes one by one.
#include "common/wall/geometry.h"
#include "common/wall/shared_settings.h"
#include "common/wall/wall_file.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

namespace lw {
namespace {

// A correct wall; the tests below change one thing in it.
const std::string good = R"([wall]
name = "wings"
frame_rate = 30

[[tile]]
name = "Left_wing"
x = 0
y = 20
width = 120
height = 192
rotation = 90

[[tile]]
name = "front"
x = 130
y = 0
width = 320
height = 200

[[node]]
name = "a"
address = "192.0.2.1"
tiles = ["front", { tile = "Left_wing", window = [470, 0] }]

[[server]]
name = "s"
interfaces = ["192.0.2.9"]
tiles = ["front", "Left_wing"]

[streaming]
flows_per_tile = 2
)";

std::string with(const std::string& from, const std::string& to, std::string text = good) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("tiles are read one by one, in the order of the file") {
  const auto wall = parse_wall(good, "w.toml");
  if (!wall) FAIL(wall.error().text());
  REQUIRE(wall->tile_count() == 2);
  CHECK(wall->grid.is_free());
  const auto& wing = wall->tile({0});
  CHECK(wing == Tile{"Left_wing", {0, 20, 120, 192}, {0, 0}, true, Turn::quarter});
  CHECK((wing.number() == "Left_wing" && wing.in_words() == "tile 'Left_wing'"));
  CHECK(wing.panel() == TurnSize{192, 120});
  CHECK(wall->tile({1}) == Tile{"front", {130, 0, 320, 200}, {1, 0}, true, Turn::none});
  CHECK(wall->tile_named("front") == TileIndex{1});
  CHECK(wall->find_tile({1, 0}) == TileIndex{1});
  CHECK_FALSE(wall->tile_named("Front"));
  CHECK(picture_rect(*wall) == Rect{0, 0, 450, 212});
  CHECK(wall->grid.picture() == picture_rect(*wall));
  const auto& placements = wall->nodes[0].tiles;
  CHECK((placements[0].tile == TileIndex{1} && placements[0].window_x == 130 && placements[0].window_y == 0));
  CHECK((placements[1].tile == TileIndex{0} && placements[1].window_x == 470));
  CHECK(wall->servers[0].tiles == std::vector<TileIndex>{{0}, {1}});
  CHECK(all_bands(*wall)[1].rows == 96);
  CHECK(all_bands(*wall)[2].rows == 100);
}

TEST_CASE("millimetres become pixels by the wall's pitch, and widths even ones") {
  const auto in_mm = with("x = 0\ny = 20\nwidth = 120", "x_mm = 6.3\ny_mm = 3\nwidth_mm = 75",
                          with("frame_rate = 30", "frame_rate = 30\npitch_mm = 0.625"));
  const auto wall = parse_wall(in_mm, "w.toml");
  if (!wall) FAIL(wall.error().text());
  CHECK(wall->tile({0}).place == Rect{10, 5, 120, 192});
}

TEST_CASE("errors in walls of any shape name the line and the fix") {
  struct Wrong {
    std::string from, to;
    int line;
    std::string what, mend;
  };
  const std::vector<Wrong> wrongs{
      {"frame_rate", "columns = 2\nframe_rate", 3, "columns describes a grid, but the file has [[tile]]", "keep one"},
      {"\"Left_wing\"\nx", "\"left/wing\"\nx", 6, "\"left/wing\" cannot be the name of files", "letters, digits"},
      {"\"Left_wing\"\nx", "\"-left\"\nx", 6, "cannot be the name of files", "a letter or digit first"},
      {"\"Left_wing\"\nx", "\"Checksums\"\nx", 6, "cannot be the name of files", "not 'checksums'"},
      {"\"Left_wing\"\nx", "\"" + std::string(65, 'n') + "\"\nx", 6, "cannot be the name of files", "1 to 64"},
      {"\"front\"", "\"LEFT_WING\"", 13, "tile 'LEFT_WING' has the name of tile 'Left_wing' of line 5", "own name"},
      {"x = 130", "x = 118", 13, "tile 'front' overlaps tile 'Left_wing' of line 5", "move one"},
      {"width = 120", "width = 121", 9, "width = 121 is odd", "even"},
      {"rotation = 90", "rotation = 45", 11, "rotation = 45 is not a quarter turn", "0, 90, 180 or 270"},
      {"x = 130", "x = 65535", 15, "x = 65535 is out of range", "0 to 65534"},
      {"x = 130", "x_mm = 130", 15, "x_mm needs the wall's pitch_mm", "pitch_mm = 0.625"},
      {"tiles = [\"front\", {", "tiles = [\"frond\", {", 23, "tile 'frond' lies outside the wall",
       "its tiles are Left_wing, front"},
      {"tiles = [\"front\", {", "tiles = [\"front\", \"front\", {", 23, "tile 'front' is shown twice", "remove one"},
      {"tiles = [\"front\", {", "tiles = [{", 1, "tile 'front' is shown by no node", "add it"},
      {"tile = \"Left_wing\",", "column = 0, row = 0,", 23, "a column beside its name, or on a wall of [[tile]]",
       "name it alone"},
      {"window = [470, 0]", "window = [300, 0]", 23, "the windows of tile 'front' and tile 'Left_wing' overlap",
       "320 x 200 and 192 x 120"},
      {"[\"front\", \"Left_wing\"]", "[\"back\"]", 28, "the wall has no tile 'back'", "its tiles are Left_wing, front"},
      {"[\"front\", \"Left_wing\"]", "[{ column = 0 }]", 28, "entry of a server's tiles is a table",
       "names of [[tile]]"},
  };
  for (const auto& wrong : wrongs) {
    const auto text = with(wrong.from, wrong.to);
    INFO(text);
    const auto wall = parse_wall(text, "w.toml");
    REQUIRE(!wall.has_value());
    INFO(wall.error().text());
    CHECK_THAT(wall.error().what, Catch::StartsWith(fmt::format("w.toml:{}: ", wrong.line)));
    CHECK_THAT(wall.error().what, Catch::Contains(wrong.what));
    CHECK_THAT(wall.error().mend, Catch::Contains(wrong.mend));
  }
}

TEST_CASE("tiles that overlap are found unless both are projectors, and others are not") {
  std::mt19937 random(27);
  for (int round = 0; round < 500; ++round) {
    std::vector<FreeTile> tiles;
    std::vector<bool> projectors;
    // By pixel: how many tiles show it, and how many of these are projectors.
    std::vector<unsigned> covered(32 * 32), projected(32 * 32);
    bool wrong = false;
    for (int i = 0; i < 4; ++i) {
      projectors.push_back(random() % 2 == 0);
      const Rect place{static_cast<unsigned>(random() % 24), static_cast<unsigned>(random() % 24),
                       static_cast<unsigned>(1 + random() % 8), static_cast<unsigned>(1 + random() % 8)};
      for (auto y = place.y; y < place.y + place.height; ++y)
        for (auto x = place.x; x < place.x + place.width; ++x) {
          const auto pixel = y * 32 + x;
          projected[pixel] += projectors.back() ? 1 : 0;
          wrong = (++covered[pixel] > 1 && projected[pixel] < covered[pixel]) || wrong;
        }
      tiles.push_back({fmt::format("t{}", i), place});
    }
    REQUIRE(overlapping(tiles, projectors).has_value() == wrong);
  }
}

TEST_CASE("projectors may overlap, and are not part of what servers and nodes share") {
  const auto one = with("x = 130", "x = 118\nprojector = true");
  CHECK_THAT(parse_wall(one, "w.toml").error().mend, Catch::Contains("mark them with projector = true"));
  const auto both = parse_wall(with("rotation = 90", "projector = true", one), "w.toml");
  if (!both) FAIL(both.error().text());
  CHECK(both->tile({0}).projector);
  CHECK(both->tile({1}).projector);
  CHECK(both->grid.place({1}) == Rect{118, 0, 320, 200});
  const auto apart = parse_wall(with("x = 130", "x = 140"), "w.toml").value();
  CHECK_FALSE(apart.tile({1}).projector);
  CHECK(settings_difference(shared_settings(apart), shared_settings(*both)).empty());
}

TEST_CASE("server and nodes notice that their tiles differ in size") {
  const auto here = parse_wall(good, "w.toml").value();
  const auto moved = parse_wall(with("x = 130", "x = 140"), "w.toml").value();
  const auto larger = parse_wall(with("height = 200", "height = 202"), "w.toml").value();
  CHECK(settings_difference(shared_settings(moved), shared_settings(here)).empty());
  CHECK_THAT(settings_difference(shared_settings(larger), shared_settings(here)), Catch::Contains("[[tile]]"));
}

}  // namespace
}  // namespace lw
