// Whether two handfuls of values differ, and by how much, without taking a shape of their distributions for granted.
#pragma once

#include "common/base/result.h"
#include "probe/results/statistics.h"

#include <span>

namespace lw {

// Mann and Whitney's test that neither side tends to larger values; two-sided.
struct RankTest {
  double u = 0;  // pairs in which the value of `a` is the larger; ties count half
  double p = 1;
  bool exact = false;  // else the normal approximation, with corrections for ties and continuity
  double least_p = 1;  // what p cannot be below with so few values
};

// Hodges and Lehmann's estimate of how much larger the values of `a` are: the median of all pairs' differences, with
// the interval that belongs to the test.
struct Shift {
  double estimate = 0;
  ConfidenceInterval interval;
};

inline constexpr std::size_t ranked_values_max = 2000;  // of a side: all pairs are looked at

// Both sides have 1 to ranked_values_max values.
RankTest rank_test(std::span<const double> a, std::span<const double> b);
Shift shift_between(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

}  // namespace lw
