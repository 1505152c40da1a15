#include "wall-client/display/output/cube_file.h"

#include "tests/unit/wall-client/display/output_files.h"

#include <catch2/catch.hpp>

#include <random>

using namespace lw;
using namespace lw::test;

TEST_CASE("a .cube file is read as it was written, whatever stands around its numbers") {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    const Rgb low{even(random, -0.5, 0), 0, even(random, -0.5, 0)}, high{1, even(random, 1, 4), 2};
    const auto table = table_by(
        one_of(random, 2, 8),
        [&](const Rgb&) {
          return Rgb{even(random, -1, 2), even(random, 0, 1), even(random, 0, 1)};
        },
        low, high);
    auto text = cube_of(table);
    if (round % 3 == 1) text = "\xef\xbb\xbf" + text;
    if (round % 3 == 2)
      for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) text.insert(at, "\r");
    const auto read = parse_cube(text);
    if (!read) FAIL(read.error().text());
    CHECK(read->side == table.side);
    CHECK(read->low == table.low);
    CHECK(read->high == table.high);
    CHECK(read->cube == table.cube);
    CHECK(read->curves.empty());
  }
}

TEST_CASE("Resolve's input range, words of other programs, and all ways to write numbers are understood") {
  std::string entries;
  for (int i = 0; i < 8; ++i) entries += "\t+1.5E-1 .5  -0\n\n";
  const auto read = parse_cube("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.0 1.5\nLUT_IN_VIDEO_RANGE\n" + entries);
  if (!read) FAIL(read.error().text());
  CHECK(read->high == Rgb{1.5F, 1.5F, 1.5F});
  CHECK(read->cube[7] == Rgb{0.15F, 0.5F, 0});
}

TEST_CASE("wrong .cube files are refused with what is wrong") {
  std::string good = "LUT_3D_SIZE 2\n";
  for (int i = 0; i < 8; ++i) good += "0 0 0\n";
  const auto what = [](const std::string& text) { return parse_cube(text).error().what; };
  CHECK(parse_cube(good).has_value());
  CHECK_THAT(what(""), Catch::Contains("no LUT_3D_SIZE"));
  CHECK_THAT(what("0 0 0\n"), Catch::Contains("line 1 comes before LUT_3D_SIZE"));
  CHECK_THAT(what("\nLUT_1D_SIZE 1024\n"), Catch::Contains("line 2 says that it is a 1D LUT"));
  for (const auto* size : {"1", "130", "2.5", "-2", "nan", "99999999999", "", "2 2"})
    CHECK_THAT(what(fmt::format("LUT_3D_SIZE {}\n", size)), Catch::Contains("a size that is not possible"));
  CHECK_THAT(what(good + "LUT_3D_SIZE 2\n"), Catch::Contains("line 10 is a second LUT_3D_SIZE"));
  CHECK_THAT(what(good + "0 0 0\n"), Catch::Contains("line 10 is one entry too many"));
  CHECK_THAT(what(good.substr(0, good.size() - 6)), Catch::Contains("7 entries where 2 x 2 x 2"));
  for (const auto* entry : {"0 0\n", "0 0 0 0\n", "0 0 x\n", "0 0 1e9\n", "0 0 1-1\n"})
    CHECK_THAT(what(std::string("LUT_3D_SIZE 2\n") + entry), Catch::Contains("line 2 is not red, green and blue"));
  CHECK_THAT(what("DOMAIN_MIN 0 0\n" + good), Catch::Contains("line 1 has no three numbers"));
  CHECK_THAT(what("DOMAIN_MIN 0 1 0\n" + good), Catch::Contains("empty domain"));
  CHECK_THAT(what("LUT_3D_INPUT_RANGE 0\n" + good), Catch::Contains("no range"));
}
