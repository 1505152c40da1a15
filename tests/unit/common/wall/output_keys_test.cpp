// The keys of a node's tile for colour and projection.
#include "common/wall/output_keys.h"

#include "common/wall/shared_settings.h"
#include "common/wall/wall_file.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace lw {
namespace {

// A wall of one tile of 64 x 48 that has these keys, on line 9 of the file.
Result<Wall> wall_with(const std::string& keys, const std::string& of_wall = "") {
  return parse_wall(fmt::format(R"([wall]
name = "w"
columns = 1
rows = 1
tile_width = 64
tile_height = 48
frame_rate = 30
{}[[node]]
tiles = [{{ column = 0, row = 0{}{} }}]
name = "a"
address = "192.0.2.1"
[[server]]
name = "s"
interfaces = ["192.0.2.9"]
)",
                                of_wall, keys.empty() ? "" : ", ", keys),
                    "walls/w.toml");
}

TileOutput output_of(const std::string& keys) {
  INFO(keys);
  const auto wall = wall_with(keys);
  if (!wall) FAIL(wall.error().text());
  return wall->nodes[0].tiles[0].output;
}

}  // namespace

TEST_CASE("a tile without the keys needs no output stage, and each key needs one") {
  CHECK_FALSE(output_of("").active());
  CHECK_FALSE(output_of("gain = 1, gamma = [1, 1.0, 1], black_lift = 0, blend = {}, blend_gamma = 2.4").active());
  for (const auto* keys :
       {"gain = 0.5", "gamma = [1, 1, 1.1]", "lut = \"a.cube\"", "icc = \"a.icc\"", "warp = \"a.pfm\"",
        "blend = { top = 1 }", "blend = \"a.png\"", "black_lift = 0.02", "black_lift = \"a.png\""})
    CHECK(output_of(keys).active());
}

TEST_CASE("numbers are for all channels, or for each") {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    std::array<double, 3> gain{}, gamma{};
    for (auto& value : gain) value = static_cast<double>(random() % 4001) / 1000;
    for (auto& value : gamma) value = 0.2 + static_cast<double>(random() % 4801) / 1000;
    const auto each = output_of(fmt::format("gain = [{}, {}, {}], gamma = [{}, {}, {}]", gain[0], gain[1], gain[2],
                                            gamma[0], gamma[1], gamma[2]));
    CHECK(each.gain == gain);
    CHECK(each.gamma == gamma);
    const auto all = output_of(fmt::format("gain = {}, gamma = {}", gain[0], gamma[0]));
    CHECK(all.gain == std::array{gain[0], gain[0], gain[0]});
    CHECK(all.gamma == std::array{gamma[0], gamma[0], gamma[0]});
  }
}

TEST_CASE("files are named from the wall file's folder, and know its line") {
  const auto output =
      output_of("lut = \"left.cube\", warp = \"/etc/left.pfm\", blend = \"b.png\", black_lift = \"k.png\"");
  CHECK(output.lut.path == "walls/left.cube");
  CHECK(output.lut.where == "walls/w.toml:9");
  CHECK(output.warp.path == "/etc/left.pfm");
  CHECK(output.blend_map.path == "walls/b.png");
  CHECK(output.black_lift_map.path == "walls/k.png");
  CHECK(output_of("icc = \"a.icc\"").icc.path == "walls/a.icc");
}

TEST_CASE("widths of blended edges are those of the tile") {
  const auto output = output_of("blend = { left = 10, right = 54, bottom = 48 }, blend_gamma = 2.4, black_lift = 0.2");
  CHECK(output.blend == BlendWidths{10, 54, 0, 48});
  CHECK(output.blend_gamma == 2.4);
  CHECK(output.black_lift == 0.2);
}

TEST_CASE("the output of a node is its own: servers do not compare it") {
  CHECK(settings_difference(shared_settings(wall_with("gain = 0.5").value()), shared_settings(wall_with("").value()))
            .empty());
}

TEST_CASE("errors in the keys of an output name the line and the fix") {
  struct Wrong {
    std::string keys, what, mend;
  };
  const std::vector<Wrong> wrongs{
      {"gain = 4.1", "gain = 4.1 is out of range", "use 0 to 4"},
      {"gain = nan", "gain = nan is out of range", "use 0 to 4"},
      {"gain = [1, 2]", "gain is not a number for each", "gain = [1, 0.95, 0.9]"},
      {"gain = [1, 2, \"3\"]", "gain is not a number for each", "three from 0 to 4"},
      {"gamma = [1, 0, 1]", "gamma is not a number for each", "three from 0.2 to 5"},
      {"gamma = inf", "gamma = inf is out of range", "use 0.2 to 5"},
      {"gamma = \"2.2\"", "gamma is a string", "gamma = 1"},
      {"lut = \"\"", "lut is not a file name", "lut = \"panel.cube\""},
      {"lut = 3", "lut is a whole number", "in quotes"},
      {"warp = \"a\\nb\"", "warp is not a file name", "warp.pfm"},
      {"lut = \"a.cube\", icc = \"a.icc\"", "has both lut and icc", "keep one"},
      {"blend = 20", "blend is a whole number", "blend = { left = 200, right = 200 }"},
      {"blend = { lift = 20 }", "unknown key 'lift' in blend of tiles", "did you mean 'left'"},
      {"blend = { left = 65 }", "left = 65 is out of range", "use 0 to 64"},
      {"blend = { left = 33, right = 32 }", "the blended edges of tile (0, 0) meet", "it is 64 x 48 pixels"},
      {"blend = { top = 48, bottom = 1 }", "the blended edges of tile (0, 0) meet", "use less"},
      {"blend_gamma = 9", "blend_gamma = 9 is out of range", "use 0.2 to 5"},
      {"black_lift = 0.3", "black_lift = 0.3 is out of range", "use 0 to 0.2"},
  };
  for (const auto& wrong : wrongs) {
    INFO(wrong.keys);
    const auto wall = wall_with(wrong.keys);
    REQUIRE(!wall.has_value());
    INFO(wall.error().text());
    CHECK_THAT(wall.error().what, Catch::StartsWith("walls/w.toml:9: "));
    CHECK_THAT(wall.error().what, Catch::Contains(wrong.what));
    CHECK_THAT(wall.error().mend, Catch::Contains(wrong.mend));
  }
  const std::string pq = "transfer = \"pq\"\n";
  const auto hdr = wall_with("icc = \"a.icc\"", pq);
  REQUIRE(!hdr.has_value());
  CHECK_THAT(hdr.error().text(), Catch::Contains("icc needs an SDR wall") && Catch::Contains("use a lut"));
  CHECK(wall_with("lut = \"a.cube\"", pq).has_value());
}

}  // namespace lw
