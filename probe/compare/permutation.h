// What a sum of scores can be when nothing but chance decides which runs are whose: the permutation distribution, given
// the scores, so that ties need no correction. Runs change places within their stratum only. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

// Of `scores`, any `chosen` ones are equally likely to be A's.
struct Stratum {
  std::vector<std::uint32_t> scores;  // at least `chosen`
  std::size_t chosen = 0;
};

std::uint64_t sum_of(std::span<const std::uint32_t> scores);

// Additions that permutation_distribution() needs, about.
double permutation_work(std::span<const Stratum> strata);
inline constexpr double permutation_work_max = 1e8;  // 0.1 s; 50 against 50 runs are 2.5e7

class PermutationDistribution {
public:
  // By dynamic programming over the sums, as in Streitberg and Roehmel (1986), but with shares instead of counts.
  explicit PermutationDistribution(std::span<const Stratum> strata);

  [[nodiscard]] double at_most(std::uint64_t sum) const;
  [[nodiscard]] double at_least(std::uint64_t sum) const;
  // Twice the smaller tail, at most 1: each direction has half of the error, so the share of p <= alpha is at most
  // alpha for every pattern of ties.
  [[nodiscard]] double two_sided_p(std::uint64_t sum) const;

private:
  std::uint64_t least_ = 0;
  std::vector<double> share_;  // of the sums least_, least_ + 1, ...
};

// The same two tails where the ways are not counted but approximated.
double two_sided(double at_most, double at_least);

// The ways to choose k of n, as a logarithm; n and k need not be integers (a pattern of ties that is scaled).
double log_ways(double n, double k);

}  // namespace lw
