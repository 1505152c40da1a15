// Whether two handfuls of values differ, and by how much, without taking a shape of their distributions for granted.
#pragma once

#include "common/base/result.h"
#include "probe/compare/least_p.h"
#include "probe/results/statistics.h"

#include <span>

namespace lw {

// A two-sided test that neither side tends to larger values. p is never below least_p, and at most a share alpha of
// tests of equal distributions has p <= alpha, with ties as without.
struct RankTest {
  double u = 0;      // comparisons in which the value of `a` is the larger; ties count half
  double above = 0;  // the same as a share: the effect size P(A > B) + P(A = B) / 2 of Vargha and Delaney (2000)
  double p = 1;
  bool exact = false;  // else the normal approximation, with corrections for ties and continuity: too many runs
  double least_p = 1;  // what p cannot be below with so few values, so many of them equal
  RunPattern pattern;
};

// Hodges and Lehmann's estimate of how much larger the values of `a` are: the median of all pairs' differences, with
// the interval that belongs to the test. With ties its coverage is at least the one that is stated.
struct Shift {
  double estimate = 0;
  ConfidenceInterval interval;
};

inline constexpr std::size_t ranked_values_max = 2000;  // of a side: all pairs are looked at

// Two independent sets of runs, 1 to ranked_values_max each: Wilcoxon's rank sum, as Mann and Whitney's U, by all
// permutations of the midranks (Lehmann, Nonparametrics, section 1.4).
RankTest rank_test(std::span<const double> a, std::span<const double> b);
Shift shift_between(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

// a[i] and b[i] were measured under the same circumstances, such as in one repetition of a sweep. Only the two of a
// pair are exchanged: Wilcoxon's signed ranks, by all signs of the midranks; equal pairs have ranks but no sign (Pratt
// 1959). The shift is the median of the averages of any two differences (Lehmann, Nonparametrics, section 4.3).
RankTest paired_rank_test(std::span<const double> a, std::span<const double> b);
Shift paired_shift(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

}  // namespace lw
