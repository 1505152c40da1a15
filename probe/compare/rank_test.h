// Whether two small sets of values differ, and by how much, without assumptions about their distributions.
#pragma once

#include "common/base/result.h"
#include "probe/compare/least_p.h"
#include "probe/results/statistics.h"

#include <span>

namespace lw {

// A two-sided test of whether one side tends to larger values. p is never below least_p, and at most a share alpha of
// tests of equal distributions have p <= alpha, with or without ties.
struct RankTest {
  double u = 0;      // number of comparisons in which the value of `a` is larger; ties count half
  double above = 0;  // the same as a share: the effect size P(A > B) + P(A = B) / 2 of Vargha and Delaney (2000)
  double p = 1;
  bool exact = false;  // false: normal approximation with corrections for ties and continuity, because of too many runs
  double least_p = 1;  // the least p possible with this number of values and ties
  RunPattern pattern;
};

// The Hodges-Lehmann estimate of how much larger the values of `a` are: the median of the differences of all pairs,
// with the interval that corresponds to the test. With ties, its coverage is at least the stated one.
struct Shift {
  double estimate = 0;
  ConfidenceInterval interval;
};

inline constexpr std::size_t ranked_values_max = 2000;  // per side, because all pairs are compared

// Two independent sets of 1 to ranked_values_max runs: Wilcoxon's rank sum test as Mann and Whitney's U, over all
// permutations of the midranks (Lehmann, Nonparametrics, section 1.4).
RankTest rank_test(std::span<const double> a, std::span<const double> b);
Shift shift_between(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

// a[i] and b[i] were measured in the same conditions, such as in one repetition of a sweep. Only the two values of a
// pair are exchanged: Wilcoxon's signed rank test, over all signs of the midranks; equal pairs have ranks but no sign
// (Pratt 1959). The shift is the median of the averages of any two differences (Lehmann, Nonparametrics, section 4.3).
RankTest paired_rank_test(std::span<const double> a, std::span<const double> b);
Shift paired_shift(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

}  // namespace lw
