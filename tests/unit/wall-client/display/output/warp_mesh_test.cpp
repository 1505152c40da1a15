#include "wall-client/display/output/warp_mesh.h"

#include "tests/unit/wall-client/display/output_files.h"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace lw;
using namespace lw::test;

TEST_CASE("a mesh of any size and byte order is read as it was written") {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    auto mesh = mesh_of(one_of(random, 2, 20), one_of(random, 2, 20), [&](double, double) {
      return random() % 10 == 0 ? WarpMesh::Place{WarpMesh::nothing, WarpMesh::nothing}
                                : WarpMesh::Place{even(random, -1, 2), even(random, -1, 2)};
    });
    const auto read = parse_warp_mesh(pfm_of(mesh, round % 2 == 0));
    REQUIRE(read.has_value());
    REQUIRE((read->columns == mesh.columns && read->rows == mesh.rows && read->places.size() == mesh.places.size()));
    for (std::size_t i = 0; i < mesh.places.size(); ++i) {
      CHECK(read->places[i].x == mesh.places[i].x);
      CHECK(read->places[i].y == mesh.places[i].y);
    }
  }
}

TEST_CASE("a vertex that has no place shows nothing") {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {infinite, -infinite, not_a_number, 1001.0F, -1e30F}) {
    auto mesh = identity_mesh(2, 2);
    mesh.places[1].y = bad;
    const auto read = parse_warp_mesh(pfm_of(mesh)).value();
    CHECK(read.at(0, 0).shown());
    CHECK_FALSE(read.at(1, 0).shown());
    CHECK(read.at(0, 1).shown());
  }
}

TEST_CASE("wrong PFM files are refused with what is wrong") {
  const auto good = pfm_of(identity_mesh(3, 2));
  const auto what = [](const std::string& bytes) { return parse_warp_mesh(bytes).error().what; };
  CHECK(parse_warp_mesh(good).has_value());
  CHECK_THAT(what(""), Catch::Contains("not a PFM file"));
  CHECK_THAT(what("Pf\n2 2\n-1\n"), Catch::Contains("not a PFM file with three channels"));
  CHECK_THAT(what("PF\n2"), Catch::Contains("damaged"));
  CHECK_THAT(what("PF\n-2 2\n-1\n"), Catch::Contains("damaged"));
  CHECK_THAT(what("PF\n2 2\n0\n"), Catch::Contains("damaged"));
  CHECK_THAT(what("PF\n2 2\nnan\n"), Catch::Contains("damaged"));
  CHECK_THAT(what("PF\n1 2\n-1\n"), Catch::Contains("1 x 2 vertices"));
  CHECK_THAT(what("PF\n16385 2\n-1\n"), Catch::Contains("16385 x 2 vertices"));
  CHECK_THAT(what("PF\n16384 16384\n-1\n"), Catch::Contains("vertices"));
  CHECK_THAT(what("PF\n4294967297 2\n-1\n"), Catch::Contains("damaged"));
  CHECK_THAT(what(good.substr(0, good.size() - 1)), Catch::Contains("3 x 2 need 72"));
  CHECK_THAT(what(good + "x"), Catch::Contains("73 bytes"));
}
