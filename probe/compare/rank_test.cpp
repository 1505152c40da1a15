#include "probe/compare/rank_test.h"

#include "probe/compare/permutation.h"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace lw {
namespace {

// Ranks from 1 on; equal values share the mean of their ranks. Counted in halves of a rank, as integers.
std::vector<std::uint32_t> half_midranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<std::uint32_t> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    auto to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (auto i = from; i < to; ++i) ranks[order[i]] = static_cast<std::uint32_t>(from + 1 + to);
    from = to;
  }
  return ranks;
}

double squares_of(std::span<const std::uint32_t> ranks) {
  double sum = 0;
  for (const double rank : ranks) sum += rank * rank;
  return sum;
}

// For cases in which permutations would take too long. `step`: the least distance between two sums, half of which is
// the continuity correction.
double normal_p(double sum, double mean, double variance, double step) {
  if (variance <= 0) return 1;  // all values are the same
  const double beyond = std::max(0.0, std::abs(sum - mean) - step / 2);
  return std::min(1.0, 2 * cdf(complement(boost::math::normal(), beyond / std::sqrt(variance))));
}

// The variance of the sum of n of the scores (Lehmann, Nonparametrics, appendix, section 4).
double variance_of_sum(const Stratum& stratum) {
  const auto all = static_cast<double>(stratum.scores.size()), n = static_cast<double>(stratum.chosen);
  const double mean = static_cast<double>(sum_of(stratum.scores)) / all;
  return n * (all - n) / (all - 1) * (squares_of(stratum.scores) / all - mean * mean);
}

Stratum untied(std::size_t n, std::size_t m) {
  Stratum stratum{std::vector<std::uint32_t>(n + m), n};
  std::iota(stratum.scores.begin(), stratum.scores.end(), 1U);
  return stratum;
}

std::vector<double> differences_of(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> differences;
  differences.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return differences;
}

// A pair's rank counts if its difference is positive, with a probability of one half.
Stratum signed_rank(std::uint32_t rank) { return {{0, rank}, 1}; }

void finish(RankTest& test, double comparisons) {
  test.above = test.u / comparisons;
  test.least_p = least_p(test.pattern);
  test.p = std::max(test.p, test.least_p);
}

// The interval excludes as many of the sorted differences at either end as the test attributes to chance: `tail(cut)`
// is the probability that the true shift is outside of one end.
template <class Tail>
Shift shift_of(std::vector<double> differences, double confidence, Tail tail) {
  std::ranges::sort(differences);
  std::size_t cut = 0;
  while (2 * (cut + 1) < differences.size() && 2 * tail(cut + 1) <= 1 - confidence) ++cut;
  return {quantile(differences, 0.5),
          {differences[cut], differences[differences.size() - 1 - cut], std::max(0.0, 1 - 2 * tail(cut))}};
}

// The interval of a normal approximation, if the exact one would take too long.
double normal_tail(double cut, double mean, double variance) {
  return cdf(boost::math::normal(), (cut + 0.5 - mean) / std::sqrt(variance));
}

}  // namespace

RankTest rank_test(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  // The smaller side's sum is equivalent to the larger one's, and takes fewer additions.
  const bool of_a = a.size() <= b.size();
  const Stratum stratum{half_midranks(all), of_a ? a.size() : b.size()};
  const std::span ranks(stratum.scores);
  const auto sum = sum_of(of_a ? ranks.first(a.size()) : ranks.last(b.size()));
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  RankTest test;
  test.u = static_cast<double>(sum_of(ranks.first(a.size()))) / 2 - n * (n + 1) / 2;
  test.pattern = tie_pattern(a, b);
  test.exact = permutation_work({&stratum, 1}) <= permutation_work_max;
  if (test.exact)
    test.p = PermutationDistribution({&stratum, 1}).two_sided_p(sum);
  else
    test.p = normal_p(static_cast<double>(sum), static_cast<double>(stratum.chosen) * (n + m + 1),
                      variance_of_sum(stratum), 2);
  finish(test, n * m);
  return test;
}

Shift shift_between(std::span<const double> a, std::span<const double> b, double confidence) {
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) differences.push_back(x - y);
  const auto stratum = untied(std::min(a.size(), b.size()), std::max(a.size(), b.size()));
  if (permutation_work({&stratum, 1}) <= permutation_work_max) {
    const PermutationDistribution chance({&stratum, 1});
    const auto least = sum_of(std::span(stratum.scores).first(stratum.chosen));
    return shift_of(std::move(differences), confidence, [&](std::size_t cut) { return chance.at_most(least + cut); });
  }
  const double mean = static_cast<double>(differences.size()) / 2, variance = variance_of_sum(stratum);
  return shift_of(std::move(differences), confidence,
                  [&](std::size_t cut) { return normal_tail(static_cast<double>(cut), mean, variance); });
}

RankTest paired_rank_test(std::span<const double> a, std::span<const double> b) {
  const auto differences = differences_of(a, b);
  std::vector<double> sizes;
  sizes.reserve(differences.size());
  for (const double difference : differences) sizes.push_back(std::abs(difference));
  const auto ranks = half_midranks(sizes);
  RankTest test;
  PairPattern pattern{differences.size(), 0};
  std::vector<Stratum> strata;
  std::uint64_t sum = 0;
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    test.u += differences[i] > 0 ? 1 : differences[i] == 0 ? 0.5 : 0;
    if (differences[i] == 0) {
      ++pattern.equal;
      continue;
    }
    strata.push_back(signed_rank(ranks[i]));
    if (differences[i] > 0) sum += ranks[i];
    mean += ranks[i] / 2.0;
    variance += ranks[i] / 2.0 * (ranks[i] / 2.0);
  }
  test.pattern = pattern;
  test.exact = permutation_work(strata) <= permutation_work_max;
  test.p = test.exact ? PermutationDistribution(strata).two_sided_p(sum)
                      : normal_p(static_cast<double>(sum), mean, variance, 2);
  finish(test, static_cast<double>(differences.size()));
  return test;
}

Shift paired_shift(std::span<const double> a, std::span<const double> b, double confidence) {
  const auto differences = differences_of(a, b);
  std::vector<double> averages;
  std::vector<Stratum> strata;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    strata.push_back(signed_rank(static_cast<std::uint32_t>(i + 1)));
    for (std::size_t j = i; j < differences.size(); ++j) averages.push_back((differences[i] + differences[j]) / 2);
  }
  if (permutation_work(strata) <= permutation_work_max) {
    const PermutationDistribution chance(strata);
    return shift_of(std::move(averages), confidence, [&](std::size_t cut) { return chance.at_most(cut); });
  }
  const auto n = static_cast<double>(differences.size());
  return shift_of(std::move(averages), confidence, [&](std::size_t cut) {
    return normal_tail(static_cast<double>(cut), n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24);
  });
}

}  // namespace lw
