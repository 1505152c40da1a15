// The least possible p with this number of runs and ties, and how many runs would allow a smaller one. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace lw {

// Two sets of runs, as the sizes of the groups of equal values among all of them, in the order of the values.
struct TiePattern {
  std::size_t a = 0, b = 0;
  std::vector<std::size_t> groups;
};

// Runs in pairs; in `equal` of them both figures are the same.
struct PairPattern {
  std::size_t pairs = 0, equal = 0;
};

using RunPattern = std::variant<TiePattern, PairPattern>;

TiePattern tie_pattern(std::span<const double> a, std::span<const double> b);

// All values are the same: no number of such runs can show a difference.
bool all_equal(const RunPattern& pattern);

// For the two-sided test: when all values of one side are as extreme as the ties allow.
double least_p(const RunPattern& pattern);

// The least number of runs (of each side, or of pairs) with which p can be at most alpha, if the same share of values
// is equal as now. Empty if that is more than runs_needed_max, or all values are equal.
std::optional<std::size_t> runs_needed(const RunPattern& pattern, double alpha);
inline constexpr std::size_t runs_needed_max = 1000;

// p <= alpha, tolerating rounding: 2/40 is 0.05.
bool at_most_alpha(double p, double alpha);

}  // namespace lw
