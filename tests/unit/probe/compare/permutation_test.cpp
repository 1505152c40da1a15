// Pins the permutation tests against all permutations, one by one, and the share of false verdicts they claim.
#include "probe/compare/permutation.h"

#include "probe/compare/rank_test.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace lw {
namespace {

using Values = std::vector<double>;
using Draw = double (*)(std::mt19937&);

double rank_of(double value, const Values& all) {
  double rank = 0.5;
  for (const double other : all) rank += other < value ? 1 : other == value ? 0.5 : 0;
  return rank;
}

double p_of_sums(const Values& sums, double observed) {
  const auto share = [&](auto is) {
    return static_cast<double>(std::ranges::count_if(sums, is)) / static_cast<double>(sums.size());
  };
  return std::min(1.0, 2 * std::min(share([&](double sum) { return sum <= observed; }),
                                    share([&](double sum) { return sum >= observed; })));
}

// All ways to assign n of the values to A.
double p_of_all_choices(const Values& a, const Values& b) {
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  double observed = 0;
  for (const double value : a) observed += rank_of(value, all);
  Values sums;
  for (unsigned choice = 0; choice < 1U << all.size(); ++choice) {
    if (static_cast<std::size_t>(__builtin_popcount(choice)) != a.size()) continue;
    sums.push_back(0);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (choice >> i & 1U) sums.back() += rank_of(all[i], all);
  }
  return p_of_sums(sums, observed);
}

double p_of_all_signs(const Values& a, const Values& b) {
  Values sizes;
  for (std::size_t i = 0; i < a.size(); ++i) sizes.push_back(std::abs(a[i] - b[i]));
  const auto sum_of_ranks = [&](auto is_above) {
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] > 0 && is_above(i)) sum += rank_of(sizes[i], sizes);
    return sum;
  };
  Values sums;
  for (unsigned signs = 0; signs < 1U << a.size(); ++signs)
    sums.push_back(sum_of_ranks([&](std::size_t i) { return (signs >> i & 1U) != 0; }));
  return p_of_sums(sums, sum_of_ranks([&](std::size_t i) { return a[i] > b[i]; }));
}

double untied(std::mt19937& random) { return std::normal_distribution<double>()(random); }
double of_three(std::mt19937& random) { return static_cast<double>(random() % 3); }
double mostly_zero(std::mt19937& random) { return random() % 4 == 0 ? untied(random) : 0; }
constexpr Draw draws[] = {untied, of_three, mostly_zero};

Values drawn(std::size_t count, Draw draw, std::mt19937& random) {
  Values values(count);
  for (auto& value : values) value = draw(random);
  return values;
}

// In `trials` trials, more false verdicts than this have a probability of 0.1 % if the true share is 5 %.
double most_false(double trials) { return 0.05 * trials + 3.09 * std::sqrt(0.05 * 0.95 * trials); }

TEST_CASE("p is the share of permutations, with and without ties") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const auto draw = draws[trial % 3];
    const auto a = drawn(1 + random() % 6, draw, random), b = drawn(1 + random() % 6, draw, random);
    const auto test = rank_test(a, b);
    REQUIRE(test.exact);
    REQUIRE(test.p == Approx(p_of_all_choices(a, b)));
    REQUIRE(test.p >= test.least_p);
    const auto other = drawn(a.size(), draw, random);
    REQUIRE(paired_rank_test(a, other).p == Approx(p_of_all_signs(a, other)));
  }
}

TEST_CASE("p reaches the least that ties allow, and goes no lower") {
  std::mt19937 random(12);
  for (int trial = 0; trial < 300; ++trial) {
    const auto draw = draws[trial % 3];
    auto all = drawn(2 + random() % 10, draw, random);
    std::ranges::sort(all);
    const auto middle = all.begin() + 1 + static_cast<std::ptrdiff_t>(random() % (all.size() - 1));
    // As far apart as possible, in both directions.
    const auto n = middle - all.begin();
    const auto low = rank_test(Values(all.begin(), middle), Values(middle, all.end()));
    const auto high = rank_test(Values(all.end() - n, all.end()), Values(all.begin(), all.end() - n));
    REQUIRE(low.least_p == Approx(high.least_p));
    REQUIRE(std::min(low.p, high.p) == Approx(low.least_p));
  }
}

TEST_CASE("no more false verdicts than claimed") {
  constexpr int trials = 10'000;
  for (std::size_t kind = 0; kind < std::size(draws); ++kind) {
    std::mt19937 random(static_cast<unsigned>(100 + kind));
    int found = 0, found_in_pairs = 0, below = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const auto a = drawn(3 + random() % 10, draws[kind], random), b = drawn(3 + random() % 10, draws[kind], random);
      const auto test = rank_test(a, b);
      found += at_most_alpha(test.p, 0.05) ? 1 : 0;
      below += test.p < test.least_p ? 1 : 0;
      const auto paired = paired_rank_test(a, drawn(a.size(), draws[kind], random));
      found_in_pairs += at_most_alpha(paired.p, 0.05) ? 1 : 0;
      below += paired.p < paired.least_p ? 1 : 0;
    }
    INFO("false verdicts of " << trials << ", kind " << kind << ": " << found << ", in pairs " << found_in_pairs);
    CHECK(found <= most_false(trials));
    CHECK(found_in_pairs <= most_false(trials));
    CHECK(below == 0);
    if (draws[kind] == untied) CHECK(found > 0.03 * trials);  // ties leave fewer values of p
  }
}

TEST_CASE("many runs have exact tails too") {
  // The number of ways is 1e29, of which two are the farthest apart.
  Values a(50), b(50);
  for (std::size_t i = 0; i < 50; ++i) a[i] = static_cast<double>(i), b[i] = 1000 + static_cast<double>(i);
  const auto test = rank_test(a, b);
  CHECK(test.exact);
  CHECK(test.p == Approx(2 * std::exp(-log_ways(100, 50))).epsilon(1e-9));
  CHECK(paired_rank_test(a, b).p == Approx(std::exp2(-49)).epsilon(1e-9));
}

TEST_CASE("runs change places within their stratum only") {
  // {1, 2} and {10, 30}: sums 11, 12, 31 and 32, a quarter each.
  const std::vector<Stratum> strata{{{1, 2}, 1}, {{30, 10}, 1}};
  const PermutationDistribution chance(strata);
  CHECK(chance.at_most(10) == 0);
  CHECK(chance.at_most(11) == Approx(0.25));
  CHECK(chance.at_least(31) == Approx(0.5));
  CHECK(chance.at_least(33) == 0);
  CHECK(chance.two_sided_p(32) == Approx(0.5));
}

}  // namespace
}  // namespace lw
