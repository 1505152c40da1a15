// The permutation distribution of a sum of scores: its values if chance alone decides which runs belong to which side.
// It is exact for the given scores, so ties need no correction. Runs are exchanged only within their stratum. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

// Any `chosen` of the `scores` are equally likely to belong to A.
struct Stratum {
  std::vector<std::uint32_t> scores;  // at least `chosen`
  std::size_t chosen = 0;
};

std::uint64_t sum_of(std::span<const std::uint32_t> scores);

// Approximate number of additions in permutation_distribution().
double permutation_work(std::span<const Stratum> strata);
inline constexpr double permutation_work_max = 1e8;  // 0.1 s; 50 against 50 runs are 2.5e7

class PermutationDistribution {
public:
  // By dynamic programming over the sums, as in Streitberg and Roehmel (1986), but with shares instead of counts.
  explicit PermutationDistribution(std::span<const Stratum> strata);

  [[nodiscard]] double at_most(std::uint64_t sum) const;
  [[nodiscard]] double at_least(std::uint64_t sum) const;
  // Twice the smaller tail, at most 1: each direction has half of the error, so that p <= alpha in at most a share
  // alpha of tests, for every pattern of ties.
  [[nodiscard]] double two_sided_p(std::uint64_t sum) const;

private:
  std::uint64_t least_ = 0;
  std::vector<double> share_;  // for the sums least_, least_ + 1, ...
};

// The same for two tails that are approximated instead of counted.
double two_sided(double at_most, double at_least);

// The logarithm of "n choose k"; n and k need not be integers (for scaled patterns of ties).
double log_ways(double n, double k);

}  // namespace lw
