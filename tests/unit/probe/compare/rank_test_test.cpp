#include "probe/compare/rank_test.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace lw {
namespace {

// Hollander and Wolfe, Nonparametric Statistical Methods, table 4.1: permeability of membranes. R's wilcox.test gives
// W = 35, p = 0.2544 (two-sided), 0.305 and the interval -0.15 to 0.76; the digits below are from all 3003 orders.
const std::vector<double> term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
const std::vector<double> early{1.15, 0.88, 0.90, 0.74, 1.21};

TEST_CASE("the test is exact for few values without ties") {
  const auto test = rank_test(term, early);
  CHECK(test.exact);
  CHECK(test.u == 35);
  CHECK(test.p == Approx(0.2544122544).epsilon(1e-9));
  // The example of scipy.stats.mannwhitneyu: U = 17, p = 1/9.
  const std::vector<double> males{19, 22, 16, 29, 24}, females{20, 11, 17, 12};
  CHECK(rank_test(males, females).u == 17);
  CHECK(rank_test(males, females).p == Approx(1.0 / 9));
  CHECK(rank_test(females, males).p == Approx(1.0 / 9));
}

TEST_CASE("ties are handled by the normal approximation, corrected") {
  // By the formula of scipy.stats.mannwhitneyu(method="asymptotic") with the standard library's normal distribution.
  const auto test = rank_test(std::vector<double>{1, 2, 2, 3, 5, 5}, std::vector<double>{2, 3, 4, 5, 6, 6, 7});
  CHECK_FALSE(test.exact);
  CHECK(test.u == 9.5);
  CHECK(test.p == Approx(0.11105494577590758).epsilon(1e-9));
  CHECK(rank_test(std::vector<double>{4, 4, 4}, std::vector<double>{4, 4, 4}).p == 1);
}

TEST_CASE("the lower bound of p is reported") {
  const auto values = [](std::size_t count, double from) {
    std::vector<double> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(from + static_cast<double>(i));
    return out;
  };
  CHECK(rank_test(values(5, 0), values(5, 100)).p == Approx(2.0 / 252));
  CHECK(rank_test(values(5, 0), values(5, 100)).least_p == Approx(2.0 / 252));
  CHECK(rank_test(values(3, 0), values(3, 100)).least_p == Approx(0.1));
  CHECK(rank_test(values(1, 0), values(1, 100)).p == 1);
}

TEST_CASE("the shift has a confidence interval") {
  const auto shift = shift_between(term, early);
  CHECK(shift.estimate == Approx(0.305));
  CHECK(shift.interval.low == Approx(-0.15));
  CHECK(shift.interval.high == Approx(0.76));
  CHECK(shift.interval.coverage == Approx(0.96003996).epsilon(1e-7));
  const auto turned = shift_between(early, term);
  CHECK(turned.estimate == Approx(-0.305));
  CHECK(turned.interval.high == Approx(0.15));
  const auto single = shift_between(std::vector<double>{3}, std::vector<double>{1});
  CHECK(single.estimate == 2);
  CHECK(single.interval.coverage == 0);
}

TEST_CASE("the exact and the approximate method agree where they meet, and keep their error rates") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  unsigned missed = 0, found = 0;
  constexpr unsigned trials = 400;
  for (unsigned trial = 0; trial < trials; ++trial) {
    std::vector<double> a(12), b(12);
    for (auto& value : a) value = 1 + normal(random);
    for (auto& value : b) value = normal(random);
    const auto interval = shift_between(a, b).interval;
    missed += interval.low > 1 || interval.high < 1 ? 1 : 0;
    for (auto& value : a) value -= 1;
    found += rank_test(a, b).p < 0.05 ? 1 : 0;
  }
  // Five of a hundred either way, and no more than chance above it.
  CHECK(missed < trials * 9 / 100);
  CHECK(found < trials * 9 / 100);
  std::vector<double> a(50), b(50);
  for (auto& value : a) value = normal(random);
  for (auto& value : b) value = 0.4 + normal(random);
  // One tie, by moving the nearest value of the other side.
  auto tied = b;
  *std::ranges::min_element(tied, {}, [&](double value) { return std::abs(value - a[0]); }) = a[0];
  CHECK(rank_test(a, b).exact);
  CHECK_FALSE(rank_test(a, tied).exact);
  CHECK(rank_test(a, b).p == Approx(rank_test(a, tied).p).margin(0.01));
  auto more_a = a;
  more_a.push_back(a[0]);
  CHECK(shift_between(a, b).interval.low == Approx(shift_between(more_a, b).interval.low).margin(0.1));
}

}  // namespace
}  // namespace lw
