#include "wall-client/display/output/output_stage.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/wall-client/display/frames.h"
#include "tests/unit/wall-client/display/output_files.h"
#include "wall-client/display/display.h"

#include <catch2/catch.hpp>

#include <string>

using namespace lw;
using namespace lw::test;

namespace {

NamedFile named(const TemporaryFolder& folder, const std::string& name) { return {folder.path / name, "w.toml:12"}; }

}  // namespace

TEST_CASE("a stage has what the files of its placement say") {
  const TemporaryFolder folder;
  folder.write("a.pfm", pfm_of(identity_mesh(9, 5)));
  folder.write("a.cube", cube_of(table_by(3, [](const Rgb& in) { return Rgb{in[1], in[0], in[2]}; })));
  folder.write("a.png", png_of(GreyMap{4, 2, std::vector<std::uint16_t>(8, 1000)}));
  auto wall = small_wall();
  auto& output = wall.nodes[0].tiles[0].output;
  output.warp = named(folder, "a.pfm");
  output.lut = named(folder, "a.cube");
  output.blend_map = output.black_lift_map = named(folder, "a.png");
  output.gain = {1, 0.5, 1};
  output.gamma = {2, 2, 2};
  wall.tiles[0].turn = Turn::quarter;
  const auto stage = load_stage(wall, wall.nodes[0].tiles[0]);
  if (!stage) FAIL(stage.error().text());
  CHECK(text_of(*stage) ==
        "turned 90 degrees, warped by 9 x 5 vertices, gain 1, 0.5, 1, gamma 2, colours by a table of 3^3, blended by a "
        "map of 4 x 2, black lifted by a map of 4 x 2, dithered");
  const auto plain = load_stage(wall, wall.nodes[0].tiles[1]).value();
  CHECK_FALSE(plain.needed());
  CHECK(text_of(plain).empty());
  CHECK(load_stages(wall, wall.nodes[0]).value().size() == 2);
}

TEST_CASE("a LUT that changes no colour is not used") {
  const TemporaryFolder folder;
  folder.write("same.cube", cube_of(table_by(17, [](const Rgb& in) { return in; })));
  auto wall = small_wall();
  wall.nodes[0].tiles[0].output.lut = named(folder, "same.cube");
  const auto stage = load_stage(wall, wall.nodes[0].tiles[0]).value();
  CHECK_FALSE(stage.table.has_value());
  CHECK(text_of(stage) == "a table that changes no colour, dithered");
}

TEST_CASE("a missing or wrong file is one error with the wall file's line and the file, with windows or without") {
  const TemporaryFolder folder;
  folder.write("wrong", "something else");
  const auto check = [&](NamedFile TileOutput::*key, const std::string& name) {
    for (const auto* file : {"missing", "wrong"}) {
      auto wall = small_wall();
      wall.nodes[0].tiles[1].output.*key = named(folder, file);
      const auto stages = load_stages(wall, wall.nodes[0]);
      REQUIRE_FALSE(stages.has_value());
      const auto text = stages.error().text();
      INFO(text);
      CHECK_THAT(text, Catch::StartsWith("w.toml:12: ") && Catch::Contains((folder.path / file).string()) &&
                           Catch::Contains(name));
      CHECK(Display::open_headless(wall, wall.nodes[0]).error().text() == text);
      CHECK(Display::open_windows(wall, wall.nodes[0], {}).error().text() == text);
    }
  };
  check(&TileOutput::warp, "warp");
  check(&TileOutput::lut, "lut");
  check(&TileOutput::icc, "icc");
  check(&TileOutput::blend_map, "blend");
  check(&TileOutput::black_lift_map, "black_lift");
}
