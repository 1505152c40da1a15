#include "probe/compare/holm.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

TEST_CASE("p is adjusted for how many are compared") {
  // Computed by hand: 0.01 * 4, 0.02 * 3, 0.03 * 2, and no less than the previous one.
  const std::vector<TestedP> tests{{0.03, 0}, {0.01, 0}, {0.04, 0}, {0.02, 0}};
  const auto adjusted = holm(tests, 0.05);
  CHECK(adjusted.counted == 4);
  CHECK(adjusted.tests[1].p == Approx(0.04));
  CHECK(adjusted.tests[3].p == Approx(0.06));
  CHECK(adjusted.tests[0].p == Approx(0.06));
  CHECK(adjusted.tests[2].p == Approx(0.06));
  CHECK(holm({}, 0.05).counted == 0);
}

TEST_CASE("figures that cannot differ are not counted") {
  const std::vector<TestedP> tests{{1, 1}, {2.0 / 252, 2.0 / 252}, {0.1, 0.1}};
  const auto adjusted = holm(tests, 0.05);
  CHECK(adjusted.counted == 1);
  CHECK(adjusted.tests[1].p == Approx(2.0 / 252));
  CHECK(adjusted.tests[1].can_differ);
  CHECK(adjusted.tests[0].p == 1);
  CHECK_FALSE(adjusted.tests[2].can_differ);
}

TEST_CASE("too few runs for so many figures are known as such") {
  const std::vector<TestedP> ten(10, {0.5, 2.0 / 252});
  for (const auto& one : holm(ten, 0.05).tests) {
    CHECK_FALSE(one.can_differ);
    CHECK(one.factor == 10);
  }
  // Five that differ make it easier for the others.
  std::vector<TestedP> half(10, {0.5, 2.0 / 252});
  for (std::size_t i = 0; i < 5; ++i) half[i] = {0.001, 0.001};
  const auto adjusted = holm(half, 0.05);
  CHECK(adjusted.tests[9].factor == 5);
  CHECK(adjusted.tests[9].can_differ);
  CHECK(adjusted.tests[0].p == Approx(0.01));
}

}  // namespace
}  // namespace lw
