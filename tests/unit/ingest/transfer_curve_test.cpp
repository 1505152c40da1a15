#include "ingest/transfer_curve.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("code values become light and the same code values again") {
  for (const auto transfer : all_transfers)
    for (int i = 0; i <= 1000; ++i) {
      const auto code = i / 1000.0;
      CHECK(code_of(transfer, light_of(transfer, code)) == Approx(code).margin(1e-6));
    }
}

TEST_CASE("the curves have the values that the standards name") {
  // BT.2100 and BT.2408: 203 cd/m2 are 58 % of PQ, 100 cd/m2 are 51 %, 1000 cd/m2 are 75 %.
  CHECK(code_of(Transfer::pq, 1) == Approx(0.58).margin(0.002));
  CHECK(code_of(Transfer::pq, 100 / reference_white) == Approx(0.508).margin(0.001));
  CHECK(code_of(Transfer::pq, 1000 / reference_white) == Approx(0.7518).margin(0.0005));
  CHECK(light_of(Transfer::pq, 1) == Approx(pq_peak / reference_white));
  // Of HLG, both parts of the curve meet at a twelfth.
  CHECK(code_of(Transfer::hlg, 1.0 / 12) == Approx(0.5));
  CHECK(light_of(Transfer::hlg, 1) == Approx(1).margin(1e-6));
  CHECK(light_of(Transfer::sdr, 0.5) == Approx(0.189465).margin(1e-6));
}

TEST_CASE("light that a curve cannot have is its nearest") {
  for (const auto transfer : all_transfers) {
    CHECK(code_of(transfer, 1000) == 1);
    CHECK(code_of(transfer, -1) == code_of(transfer, 0));
    CHECK(code_of(transfer, 0) == Approx(0).margin(1e-5));
  }
}

}  // namespace
}  // namespace lw
