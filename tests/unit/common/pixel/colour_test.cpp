#include "common/pixel/colour.h"

#include <catch2/catch.hpp>

#include <string>

namespace lw {
namespace {

TEST_CASE("every colour and transfer function is read by the name by which it is written") {
  for (const auto primaries : all_primaries) CHECK(parse_primaries(name_of(primaries)).value() == primaries);
  for (const auto transfer : all_transfers) CHECK(parse_transfer(name_of(transfer)).value() == transfer);
  CHECK(parse_primaries("bt601").error().text() == "unknown colour 'bt601'; use bt709, bt2020, p3");
  CHECK(parse_transfer("PQ").error().text() == "unknown transfer 'PQ'; use sdr, pq, hlg");
  CHECK(to_text(Colour{Primaries::bt2020, Transfer::hlg}) == "bt2020 hlg");
}

TEST_CASE("the matrices are those that follow from the weights of the standards") {
  struct Weights {
    Primaries primaries;
    double red, blue;
  };
  for (const auto& [primaries, red, blue] :
       {Weights{Primaries::bt709, 0.2126, 0.0722}, Weights{Primaries::bt2020, 0.2627, 0.0593},
        Weights{Primaries::p3, 0.2126, 0.0722}}) {
    const auto green = 1 - red - blue;
    const auto& matrix = ycbcr_matrix(primaries);
    CHECK(matrix.red_cr == Approx(2 * (1 - red)));
    CHECK(matrix.blue_cb == Approx(2 * (1 - blue)));
    CHECK(matrix.green_cr == Approx(2 * (1 - red) * red / green));
    CHECK(matrix.green_cb == Approx(2 * (1 - blue) * blue / green));
  }
}

}  // namespace
}  // namespace lw
