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

TEST_CASE("ties are counted, not approximated") {
  // All 1716 choices of 6 of the 13 values, counted one by one: 94 have at most U = 9.5.
  const auto test = rank_test(std::vector<double>{1, 2, 2, 3, 5, 5}, std::vector<double>{2, 3, 4, 5, 6, 6, 7});
  CHECK(test.exact);
  CHECK(test.u == 9.5);
  CHECK(test.p == Approx(2 * 94.0 / 1716).epsilon(1e-9));
  CHECK(rank_test(std::vector<double>{4, 4, 4}, std::vector<double>{4, 4, 4}).p == 1);
  const auto apart = rank_test(std::vector<double>{0, 0, 0}, std::vector<double>{1, 1, 1});
  CHECK(apart.p == Approx(2.0 / 20));
  CHECK(apart.least_p == Approx(2.0 / 20));
  CHECK(apart.above == 0);
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

TEST_CASE("the test and its interval keep their error rates") {
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
  // Five of a hundred in each direction, and no more above it than by chance.
  CHECK(missed < trials * 9 / 100);
  CHECK(found < trials * 9 / 100);
}

TEST_CASE("many runs are tested by the normal approximation") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> a(300), b(300);
  for (auto& value : a) value = normal(random);
  for (auto& value : b) value = 0.1 + normal(random);
  const auto test = rank_test(a, b);
  CHECK_FALSE(test.exact);
  // Mann and Whitney (1947): U has the mean n m / 2 and the variance n m (n + m + 1) / 12.
  const double beyond = (std::abs(test.u - 45'000) - 0.5) / std::sqrt(90'000.0 * 601 / 12);
  CHECK(test.p == Approx(std::erfc(beyond / std::sqrt(2.0))));
  CHECK(test.above == Approx(test.u / 90'000));
  CHECK(shift_between(a, b).interval.coverage == Approx(0.95).margin(0.001));
  for (auto& value : b) value = 10;
  CHECK(rank_test(a, b).p < 1e-30);
  const auto in_pairs = paired_rank_test(std::vector<double>(1000, 2.0), std::vector<double>(1000, 1.0));
  CHECK_FALSE(in_pairs.exact);
  CHECK(in_pairs.above == 1);
  CHECK(in_pairs.p < 1e-30);
}

TEST_CASE("pairs are compared with each other only") {
  // Each repetition is of another level; B is a little above A in all but one of them. All 64 signs: 0 and 1 are the
  // sums that are no larger than that of the one, so p = 2 * 2 / 64.
  const std::vector<double> a{10, 21.9, 30, 40, 50, 60}, b{11, 21.8, 33, 44, 55, 66};
  const auto test = paired_rank_test(a, b);
  CHECK(test.exact);
  CHECK(test.u == 1);
  CHECK(test.above == Approx(1.0 / 6));
  CHECK(test.p == Approx(4.0 / 64));
  CHECK(test.least_p == Approx(2.0 / 64));
  CHECK(rank_test(a, b).p > 0.5);
  const auto shift = paired_shift(a, b);
  CHECK(shift.estimate == Approx(-3));
  CHECK(shift.interval.low == -6);
  CHECK(shift.interval.high == Approx(0.1));
  CHECK(shift.interval.coverage == Approx(1 - 2.0 / 64));
  // Equal pairs have no sign: 2 of 6 leave 16.
  CHECK(paired_rank_test(a, std::vector<double>{10, 21.9, 33, 44, 55, 66}).least_p == Approx(2.0 / 16));
}

TEST_CASE("how many runs it would take") {
  const auto needed = [](std::vector<double> a, std::vector<double> b) { return runs_needed(tie_pattern(a, b), 0.05); };
  CHECK(needed({1, 2, 3}, {4, 5, 6}) == 4);  // 2/70
  CHECK(needed({0, 0, 0}, {1, 1, 1}) == 4);  // ties that the border does not cut
  CHECK(needed({1}, {2}) == 4);              // 3 against 3 is 0.1
  CHECK(needed({0, 0, 0}, {0, 0, 0}) == std::nullopt);
  // One of ten values is another one: that 6 of 60 are all on one side has a chance of C(54, 24) / C(60, 30).
  CHECK(needed({0, 0, 0, 0, 0}, {0, 0, 0, 0, 1}).value() > 20);
  CHECK(runs_needed(PairPattern{5, 0}, 0.05) == 6);  // 2/64
  CHECK(runs_needed(PairPattern{4, 2}, 0.05) == 12);
  CHECK(runs_needed(PairPattern{5, 0}, 0.05 / 10) == 9);
}

}  // namespace
}  // namespace lw
