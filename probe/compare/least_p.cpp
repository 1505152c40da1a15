#include "probe/compare/least_p.h"

#include "probe/compare/permutation.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// The logarithm of the number of ways to choose the `count` runs with the least sum of ranks, if each group is `scale`
// times as large. Only the group at the border leaves a choice. A value that occurs once stays untied with more runs.
template <class Groups>
double log_border_ways(const Groups& groups, double count, double scale) {
  double below = 0;
  for (const std::size_t size : groups) {
    const double group = static_cast<double>(size) * scale;
    if (below + group > count) return size == 1 ? 0 : log_ways(group, count - below);
    below += group;
  }
  return 0;
}

double least_p_of(const TiePattern& ties, double a, double b) {
  const double scale = (a + b) / static_cast<double>(ties.a + ties.b);
  const auto downwards = std::vector<std::size_t>(ties.groups.rbegin(), ties.groups.rend());
  const double lowest = log_border_ways(ties.groups, a, scale), highest = log_border_ways(downwards, a, scale);
  const double all = log_ways(a + b, a);
  return two_sided(std::exp(lowest - all), std::exp(highest - all));
}

double least_p_of(double unequal_pairs) { return std::min(1.0, std::exp2(1 - unequal_pairs)); }

struct LeastP {
  double operator()(const TiePattern& ties) const {
    return least_p_of(ties, static_cast<double>(ties.a), static_cast<double>(ties.b));
  }
  double operator()(const PairPattern& pairs) const {
    return least_p_of(static_cast<double>(pairs.pairs - pairs.equal));
  }
};

struct RunsNeeded {
  double alpha;

  std::optional<std::size_t> operator()(const TiePattern& ties) const {
    for (auto runs = std::min(ties.a, ties.b) + 1; runs <= runs_needed_max; ++runs) {
      const auto a = static_cast<double>(std::max(runs, ties.a)), b = static_cast<double>(std::max(runs, ties.b));
      if (at_most_alpha(least_p_of(ties, a, b), alpha)) return runs;
    }
    return std::nullopt;
  }
  std::optional<std::size_t> operator()(const PairPattern& pairs) const {
    const double unequal = static_cast<double>(pairs.pairs - pairs.equal) / static_cast<double>(pairs.pairs);
    for (auto runs = pairs.pairs + 1; runs <= runs_needed_max; ++runs)
      if (at_most_alpha(least_p_of(std::floor(static_cast<double>(runs) * unequal)), alpha)) return runs;
    return std::nullopt;
  }
};

}  // namespace

TiePattern tie_pattern(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  TiePattern ties{a.size(), b.size(), {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) ties.groups.push_back(0);
    ++ties.groups.back();
  }
  return ties;
}

bool all_equal(const RunPattern& pattern) {
  if (const auto* pairs = std::get_if<PairPattern>(&pattern)) return pairs->equal == pairs->pairs;
  return std::get<TiePattern>(pattern).groups.size() < 2;
}

double least_p(const RunPattern& pattern) { return std::visit(LeastP{}, pattern); }

std::optional<std::size_t> runs_needed(const RunPattern& pattern, double alpha) {
  if (all_equal(pattern)) return std::nullopt;
  return std::visit(RunsNeeded{alpha}, pattern);
}

bool at_most_alpha(double p, double alpha) { return p <= alpha * (1 + 1e-9); }

}  // namespace lw
