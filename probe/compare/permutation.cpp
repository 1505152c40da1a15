#include "probe/compare/permutation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace lw {
namespace {

struct Range {
  std::uint64_t least = 0, greatest = 0;
};

Range range_of(const Stratum& stratum) {
  auto scores = stratum.scores;
  std::ranges::sort(scores);
  const std::span all(scores);
  return {sum_of(all.first(stratum.chosen)), sum_of(all.last(stratum.chosen))};
}

// Shares of a stratum's sums, from the least one on.
std::vector<double> shares_of(const Stratum& stratum, const Range& range) {
  const std::size_t chosen = stratum.chosen, width = range.greatest - range.least + 1;
  auto scores = stratum.scores;
  std::ranges::sort(scores);
  // least[k]: the sum of the k smallest scores. at[k][s]: the share of choices of k of the scores so far with the sum
  // least[k] + s. Sums more than `width` above the least cannot lead to any of the required sums.
  std::vector<std::uint64_t> least(chosen + 1, 0);
  for (std::size_t k = 0; k < chosen; ++k) least[k + 1] = least[k] + scores[k];
  std::vector<std::vector<double>> at(chosen + 1, std::vector<double>(width, 0.0));
  at[0][0] = 1;
  for (std::size_t seen = 1; seen <= scores.size(); ++seen) {
    const std::uint64_t score = scores[seen - 1];
    for (std::size_t k = std::min(chosen, seen); k > 0; --k) {
      // The probability that the newest score is among the k chosen: no number exceeds a double's precision.
      const double in = static_cast<double>(k) / static_cast<double>(seen);
      const std::uint64_t by = least[k - 1] + score - least[k];  // not negative, because the scores are sorted
      auto& here = at[k];
      const auto& before = at[k - 1];
      for (auto& share : here) share *= 1 - in;
      for (std::uint64_t s = by; s < width; ++s) here[s] += in * before[s - by];
    }
  }
  return std::move(at[chosen]);
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size() + b.size() - 1, 0.0);
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (b[j] == 0) continue;  // a pair of runs has two sums, far apart
    for (std::size_t i = 0; i < a.size(); ++i) out[i + j] += a[i] * b[j];
  }
  return out;
}

}  // namespace

std::uint64_t sum_of(std::span<const std::uint32_t> scores) {
  return std::accumulate(scores.begin(), scores.end(), std::uint64_t{0});
}

double permutation_work(std::span<const Stratum> strata) {
  double work = 0, width = 1;
  for (const auto& stratum : strata) {
    const auto range = range_of(stratum);
    const auto own = static_cast<double>(range.greatest - range.least + 1);
    const auto chosen = static_cast<double>(stratum.chosen), all = static_cast<double>(stratum.scores.size());
    work += own * chosen * all + width * std::min(own, std::exp(std::min(log_ways(all, chosen), 40.0)));
    width += own - 1;
  }
  return work;
}

PermutationDistribution::PermutationDistribution(std::span<const Stratum> strata) : share_{1.0} {
  for (const auto& stratum : strata) {
    assert(stratum.chosen <= stratum.scores.size());
    const auto range = range_of(stratum);
    least_ += range.least;
    share_ = convolved(share_, shares_of(stratum, range));
  }
}

double PermutationDistribution::at_most(std::uint64_t sum) const {
  if (sum < least_) return 0;
  const auto count = std::min<std::uint64_t>(sum - least_ + 1, share_.size());
  return std::accumulate(share_.begin(), share_.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
}

double PermutationDistribution::at_least(std::uint64_t sum) const {
  const auto below = sum <= least_ ? 0 : std::min<std::uint64_t>(sum - least_, share_.size());
  return std::accumulate(share_.begin() + static_cast<std::ptrdiff_t>(below), share_.end(), 0.0);
}

double PermutationDistribution::two_sided_p(std::uint64_t sum) const { return two_sided(at_most(sum), at_least(sum)); }

double two_sided(double at_most, double at_least) { return std::min(1.0, 2 * std::min(at_most, at_least)); }

double log_ways(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

}  // namespace lw
