// Laws of the output stage on the CPU. gl/gl_output_test.cpp holds the GPU to them.
#include "tests/unit/wall-client/display/output_files.h"
#include "wall-client/display/output/output_stage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace lw;
using namespace lw::test;

namespace {

constexpr unsigned width = 64, height = 48;
constexpr unsigned undithered = 16;  // bits: a code value of 8 bits has 257 of these

Tile tile_of(Turn turn = Turn::none, unsigned of_width = width, unsigned of_height = height) {
  return {"t", {0, 0, of_width, of_height}, {0, 0}, true, turn};
}
OutputStage active(const Tile& tile = tile_of(), const TileOutput& settings = {}) {
  auto stage = plain_stage(tile, settings);
  stage.active = true;
  return stage;
}
TileOutput blended(const BlendWidths& widths, double gamma = 2.2, double lift = 0) {
  TileOutput output;
  output.blend = widths;
  output.blend_gamma = gamma;
  output.black_lift = lift;
  return output;
}
Picture grey(double value, unsigned of_width = width, unsigned of_height = height) {
  return deep_picture(of_width, of_height, [value](auto, auto, auto) { return value; });
}
double light(double code, double gamma) { return std::pow(code / 255, gamma); }
double code(double of_light, double gamma) { return 255 * std::pow(of_light, 1 / gamma); }

}  // namespace

TEST_CASE("without settings a panel gets the tile's pixels, turned as it hangs") {
  for (const auto turn : {Turn::none, Turn::quarter, Turn::half, Turn::three_quarters})
    for (const bool deep : {false, true}) {
      const auto tile = tile_of(turn);
      const auto picture = deep ? deep_picture(width, height,
                                               [](unsigned x, unsigned y, unsigned c) {
                                                 return (x * 7 + y * 331 + c * 17) % 1000 / 1000.0;
                                               })
                                : noise_picture(width, height, 1);
      const auto panel = panel_picture(plain_stage(tile, {}), picture);
      CHECK(panel.sixteen_bits == deep);
      REQUIRE((static_cast<int>(panel.width) == tile.panel().width &&
               static_cast<int>(panel.height) == tile.panel().height));
      for (unsigned y = 0; y < panel.height; ++y)
        for (unsigned x = 0; x < panel.width; ++x) {
          const auto from = tile.turn_map().shown_by({static_cast<int>(x), static_cast<int>(y)});
          REQUIRE(code_at(panel, x, y, 1) ==
                  code_at(picture, static_cast<unsigned>(from.x), static_cast<unsigned>(from.y), 1));
        }
    }
}

TEST_CASE("what changes nothing changes nothing: identity mesh, table, map and curves, at every turn") {
  for (const auto turn : {Turn::none, Turn::quarter, Turn::half, Turn::three_quarters}) {
    const auto tile = tile_of(turn);
    const auto picture = noise_picture(width, height, 2);
    const auto before = panel_picture(plain_stage(tile, {}), picture);
    auto stage = active(tile);
    CHECK(panel_picture(stage, picture).pixels == before.pixels);
    stage.table = table_by(33, [](const Rgb& in) { return in; });
    stage.blend_map = GreyMap{3, 2, std::vector<std::uint16_t>(6, 65535)};
    stage.black_lift_map = GreyMap{5, 5, std::vector<std::uint16_t>(25, 0)};
    CHECK(panel_picture(stage, picture).pixels == before.pixels);
    for (const auto& [columns, rows] :
         {std::pair{2U, 2U}, std::pair{17U, 9U}, std::pair{64U, 48U}, std::pair{333U, 7U}}) {
      // The mesh is the panel's: turned, it shows the upright tile's places.
      stage.warp = mesh_of(columns, rows, [&](double x, double y) {
        const auto at = turn == Turn::none      ? std::pair{x, y}
                        : turn == Turn::quarter ? std::pair{1 - y, x}
                        : turn == Turn::half    ? std::pair{1 - x, 1 - y}
                                                : std::pair{y, 1 - x};
        return WarpMesh::Place{static_cast<float>(at.first), static_cast<float>(at.second)};
      });
      INFO(columns << " x " << rows << " turn " << static_cast<int>(turn));
      CHECK(panel_picture(stage, picture).pixels == before.pixels);
    }
  }
}

TEST_CASE("a mesh shows the places that it names within a tenth of a pixel") {
  std::mt19937 random(8);
  // The image says where it was taken from: x in red, y in green.
  const auto places = deep_picture(width, height, [](unsigned x, unsigned y, unsigned c) {
    return c == 0 ? (x + 0.5) / width : c == 1 ? (y + 0.5) / height : 0.5;
  });
  for (int round = 0; round < 20; ++round) {
    // A keystone and a rotation, which stay within the tile but for its edge.
    const double turn = even(random, -0.3, 0.3), zoom = even(random, 0.4, 0.7), lean = even(random, -0.2, 0.2);
    const auto shown = [&](double x, double y) {
      const double across = (x - 0.5) * (1 + lean * (y - 0.5)), down = y - 0.5;
      return std::pair{0.5 + zoom * (across * std::cos(turn) - down * std::sin(turn)),
                       0.5 + zoom * (across * std::sin(turn) + down * std::cos(turn))};
    };
    auto stage = active();
    const bool large = round % 2 == 0;
    stage.warp = mesh_of(large ? width : 33, large ? height : 17, [&](double x, double y) {
      const auto [at_x, at_y] = shown(x, y);
      return WarpMesh::Place{static_cast<float>(at_x), static_cast<float>(at_y)};
    });
    const auto panel = panel_picture(stage, places, undithered);
    for (unsigned y = 0; y < height; ++y)
      for (unsigned x = 0; x < width; ++x) {
        const auto [at_x, at_y] = shown((x + 0.5) / width, (y + 0.5) / height);
        REQUIRE(std::abs(code_at(panel, x, y, 0) / 255 - at_x) * width < 0.1);
        REQUIRE(std::abs(code_at(panel, x, y, 1) / 255 - at_y) * height < 0.1);
      }
  }
}

TEST_CASE("where a mesh has no place, or one beside the tile, the panel is black") {
  auto stage = active(tile_of(), blended({}, 2.2, 0.1));
  stage.warp = identity_mesh(width, height);
  stage.warp->places[5 * width + 7] = {WarpMesh::nothing, WarpMesh::nothing};
  for (unsigned x = 40; x < width; ++x) stage.warp->places[9 * width + x].x += 1;
  const auto panel = panel_picture(stage, grey(0.5), undithered);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      const bool nothing = (x == 7 && y == 5) || (y == 9 && x >= 40);
      INFO(x << " " << y);
      CHECK((code_at(panel, x, y, 0) == 0) == nothing);
    }
}

TEST_CASE("gain and gamma do what they say to known patches") {
  TileOutput output;
  output.gain = {0.5, 1, 2};
  output.gamma = {1, 2.2, 0.5};
  const auto stage = active(tile_of(), output);
  for (const double value : {0.0, 0.1, 0.25, 0.5, 0.75, 1.0}) {
    const auto panel = panel_picture(stage, grey(value), undithered);
    CHECK(code_at(panel, 3, 3, 0) == Approx(255 * value / 2).margin(0.02));
    CHECK(code_at(panel, 3, 3, 1) == Approx(255 * std::pow(value, 1 / 2.2)).margin(0.02));
    CHECK(code_at(panel, 3, 3, 2) == Approx(255 * std::pow(std::min(1.0, value * 2), 2)).margin(0.05));
  }
}

TEST_CASE("a table gets what gain and gamma leave") {
  TileOutput output;
  output.gain = {0.5, 0.5, 0.5};
  auto stage = active(tile_of(), output);
  stage.table = table_by(5, [](const Rgb& in) { return Rgb{in[2], 1 - in[0], 3 * in[1]}; });
  const auto picture = deep_picture(width, height, [](auto, auto, unsigned c) {
    return c == 0 ? 0.2 : c == 1 ? 0.4 : 0.8;
  });
  const auto panel = panel_picture(stage, picture, undithered);
  CHECK(code_at(panel, 0, 0, 0) == Approx(255 * 0.4).margin(0.02));
  CHECK(code_at(panel, 0, 0, 1) == Approx(255 * 0.9).margin(0.02));
  CHECK(code_at(panel, 0, 0, 2) == Approx(255 * 0.6).margin(0.02));
}

// A wall of projectors that overlap, 2 across and 2 down: the light of all adds up to the image.
TEST_CASE("blended projectors add up in light to the single image within a code value") {
  std::mt19937 random(9);
  for (unsigned round = 0; round < 20; ++round) {
    const unsigned across = one_of(random, 1, 32), down = one_of(random, 1, 24);
    const double gamma = even(random, 1.6, 2.8);
    const unsigned wall_width = 2 * width - across, wall_height = 2 * height - down;
    const auto wall = noise_picture(wall_width, wall_height, round);
    std::vector<double> sum(std::size_t{wall_width} * wall_height * 3);
    for (unsigned row = 0; row < 2; ++row)
      for (unsigned column = 0; column < 2; ++column) {
        const unsigned left = column * (width - across), top = row * (height - down);
        const auto tile = deep_picture(width, height, [&](unsigned x, unsigned y, unsigned c) {
          return code_at(wall, left + x, top + y, c) / 255;
        });
        const BlendWidths widths{column == 1 ? across : 0, column == 0 ? across : 0, row == 1 ? down : 0,
                                 row == 0 ? down : 0};
        const auto panel = panel_picture(active(tile_of(), blended(widths, gamma)), tile, undithered);
        for (unsigned y = 0; y < height; ++y)
          for (unsigned x = 0; x < width; ++x)
            for (unsigned c = 0; c < 3; ++c)
              sum[((top + y) * std::size_t{wall_width} + left + x) * 3 + c] += light(code_at(panel, x, y, c), gamma);
      }
    double largest = 0;
    for (unsigned y = 0; y < wall_height; ++y)
      for (unsigned x = 0; x < wall_width; ++x)
        for (unsigned c = 0; c < 3; ++c)
          largest = std::max(
              largest, std::abs(code(sum[(y * std::size_t{wall_width} + x) * 3 + c], gamma) - code_at(wall, x, y, c)));
    CHECK(largest < 1);
  }
}

TEST_CASE("maps that add up to all light add up to the image") {
  std::mt19937 random(10);
  GreyMap one{width, height, {}}, other{width, height, {}};
  for (unsigned i = 0; i < width * height; ++i) {
    one.values.push_back(static_cast<std::uint16_t>(random()));
    other.values.push_back(static_cast<std::uint16_t>(65535 - one.values.back()));
  }
  const auto picture = noise_picture(width, height, 3);
  const double gamma = 2.4;
  auto stage = active(tile_of(), blended({}, gamma));
  stage.blend_map = one;
  const auto first = panel_picture(stage, picture, undithered);
  stage.blend_map = other;
  const auto second = panel_picture(stage, picture, undithered);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      REQUIRE(std::abs(code(light(code_at(first, x, y, 0), gamma) + light(code_at(second, x, y, 0), gamma), gamma) -
                       code_at(picture, x, y, 0)) < 1);
}

// Each projector leaks the light of this code value over all of its panel.
TEST_CASE("black is the same everywhere on a lifted wall, and the image over it") {
  const double gamma = 2.2, leak = 0.06;
  for (const unsigned down : {0U, 12U})
    for (const double value : {0.0, 0.1, 0.5}) {
      const unsigned across = 20;
      const unsigned wall_width = 2 * width - across, wall_height = down == 0 ? height : 2 * height - down;
      std::vector<double> sum(std::size_t{wall_width} * wall_height);
      for (unsigned row = 0; row < (down == 0 ? 1 : 2); ++row)
        for (unsigned column = 0; column < 2; ++column) {
          const BlendWidths widths{column == 1 ? across : 0, column == 0 ? across : 0, row == 1 ? down : 0,
                                   row == 0 ? down : 0};
          const auto panel = panel_picture(active(tile_of(), blended(widths, gamma, leak)), grey(value), undithered);
          const unsigned left = column * (width - across), top = row * (height - down);
          for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x)
              sum[(top + y) * std::size_t{wall_width} + left + x] +=
                  light(code_at(panel, x, y, 1), gamma) + std::pow(leak, gamma);
        }
      const auto [least, most] = std::ranges::minmax_element(sum);
      CHECK(code(*most, gamma) - code(*least, gamma) < 1);
      CHECK(*least >= std::pow(value, gamma));
    }
}

TEST_CASE("a map of black is added where it says, in code values") {
  auto stage = active();
  stage.black_lift_map = GreyMap{width, height, std::vector<std::uint16_t>(std::size_t{width} * height)};
  stage.black_lift_map->values[5 * width + 9] = 10 * 257;
  const auto panel = panel_picture(stage, grey(0), undithered);
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      CHECK(code_at(panel, x, y, 0) == Approx(x == 9 && y == 5 ? 10 : 0).margin(0.05));
  CHECK(code_at(panel_picture(stage, grey(1), undithered), 9, 5, 0) == 255);
}

TEST_CASE("each of the 64 thresholds is in each 8 x 8 pixels once") {
  std::array<int, 64> seen{};
  for (unsigned y = 0; y < 8; ++y)
    for (unsigned x = 0; x < 8; ++x) ++seen.at(dither_threshold(x, y));
  CHECK(std::ranges::all_of(seen, [](int times) { return times == 1; }));
}

TEST_CASE("dither keeps the mean, and changes no value by more than a code") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const double value = even(random, 0, 1);
    const auto panel = panel_picture(active(), grey(value));
    REQUIRE_FALSE(panel.sixteen_bits);
    for (unsigned top = 0; top < height; top += 8)
      for (unsigned left = 0; left < width; left += 8) {
        double mean = 0;
        for (unsigned y = 0; y < 8; ++y)
          for (unsigned x = 0; x < 8; ++x) {
            const double here = code_at(panel, left + x, top + y, 0);
            REQUIRE(std::abs(here - value * 255) < 1);
            mean += here / 64;
          }
        REQUIRE(std::abs(mean - value * 255) < 1.0 / 64);
      }
  }
}

TEST_CASE("panels of 10 bits get 10 bits") {
  for (int i = 0; i <= 1023; ++i) {
    const auto panel = panel_picture(active(), grey(i / 1023.0), 10);
    REQUIRE(panel.sixteen_bits);
    REQUIRE(std::lround(code_at(panel, 1, 2, 0) / 255 * 1023) == i);
  }
}

TEST_CASE("black is lifted also on the soft edge of a tile that has no neighbour there") {
  auto stage = active(tile_of(), blended({.left = 20}, 2.2, 0.1));
  // A quarter of the first row's pixels lies on the tile.
  constexpr float up = 0.75F / height;
  stage.warp = WarpMesh{2, 2, {{0.25F, 0.25F - up}, {0.75F, 0.25F - up}, {0.25F, 0.75F - up}, {0.75F, 0.75F - up}}};
  const auto panel = panel_picture(stage, grey(0), undithered);
  CHECK(code_at(panel, 40, 0, 0) == Approx(code(0.25 * light(25.5, 2.2), 2.2)).margin(0.1));
  CHECK(code_at(panel, 40, 20, 0) == Approx(25.5).margin(0.1));
  CHECK(code_at(panel, 5, 0, 0) == 0);
}
