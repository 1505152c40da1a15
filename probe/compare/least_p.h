// How small p can be at all with so many runs and so many of them equal, and how many runs would allow less. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace lw {

// Two sets of runs: the sizes of the groups of equal values among all of them, in the order of the values.
struct TiePattern {
  std::size_t a = 0, b = 0;
  std::vector<std::size_t> groups;
};

// Runs in pairs; of `equal` ones the two figures are the same.
struct PairPattern {
  std::size_t pairs = 0, equal = 0;
};

using RunPattern = std::variant<TiePattern, PairPattern>;

TiePattern tie_pattern(std::span<const double> a, std::span<const double> b);

// Every value is the same: no number of such runs shows a difference.
bool all_equal(const RunPattern& pattern);

// Of the two-sided test: where all values of one side are as far out as the ties allow.
double least_p(const RunPattern& pattern);

// The least number of runs (of each side; of pairs) with which p can be at most alpha, if as large a share of the
// values is equal as now. Nothing where that takes more than runs_needed_max, or all values are equal.
std::optional<std::size_t> runs_needed(const RunPattern& pattern, double alpha);
inline constexpr std::size_t runs_needed_max = 1000;

// p <= alpha, where rounding does not decide: 2/40 is 0.05.
bool at_most_alpha(double p, double alpha);

}  // namespace lw
