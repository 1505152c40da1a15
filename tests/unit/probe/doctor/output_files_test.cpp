#include "probe/doctor/output_files.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace lw;

namespace {

Wall wall_in(const test::TemporaryFolder& folder, const std::string& keys) {
  folder.write("w.toml",
               "[wall]\nname = \"w\"\ncolumns = 2\nrows = 1\ntile_width = 64\ntile_height = 48\n"
               "frame_rate = 30\n[[node]]\nname = \"a\"\naddress = \"192.0.2.1\"\ntiles = [{ column = 0, "
               "row = 0 }, { column = 1, row = 0" +
                   keys + " }]\n[[server]]\nname = \"s\"\ninterfaces = [\"192.0.2.9\"]\n");
  return load_wall(folder.path / "w.toml").value();
}

}  // namespace

TEST_CASE("the doctor finds files of a node's output that are missing or wrong") {
  const test::TemporaryFolder folder;
  CHECK(examine_output_files(wall_in(folder, ""), {"a"}).empty());
  const auto wall = wall_in(folder, ", gain = 0.5, lut = \"a.cube\"");
  CHECK(examine_output_files(wall, {}).empty());
  const auto missing = examine_output_files(wall, {"a"});
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].level == Level::fail);
  CHECK(missing[0].what == "colour and projection of tile (1, 0)");
  CHECK_THAT(missing[0].have, Catch::Contains("w.toml:11: ") && Catch::Contains("a.cube: cannot be read"));
  CHECK_THAT(missing[0].mend, Catch::Contains("correct lut"));
  std::string cube = "LUT_3D_SIZE 2\n";
  folder.write("a.cube", cube);
  CHECK_THAT(examine_output_files(wall, {"a"})[0].have, Catch::Contains("a.cube has 0 entries"));
  for (int i = 0; i < 8; ++i) cube += "1 0 0\n";
  folder.write("a.cube", cube);
  const auto good = examine_output_files(wall, {"a"});
  CHECK(good[0].level == Level::ok);
  CHECK(good[0].mend.empty());
  CHECK_THAT(good[0].have, Catch::Contains("gain 0.5") && Catch::Contains("table of 2^3"));
}
