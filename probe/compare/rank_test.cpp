#include "probe/compare/rank_test.h"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr std::size_t exact_values_max = 50;  // of a side

// The distribution of U where the sides do not differ: cumulative, for u = 0 ... n * m.
std::vector<double> exact_distribution(std::size_t n, std::size_t m) {
  // The number of ways to get u is the coefficient of x^u in the product of (1 - x^(m + i)) / (1 - x^i), i = 1 ... n;
  // as shares of all ways, so that no number grows out of a double's digits.
  std::vector<double> chance(n * m + 1, 0.0);
  chance[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = chance.size(); u-- > m + i;) chance[u] -= chance[u - m - i];
    for (std::size_t u = i; u < chance.size(); ++u) chance[u] += chance[u - i];
    const double ways = static_cast<double>(m + i) / static_cast<double>(i);
    for (auto& share : chance) share /= ways;
  }
  for (std::size_t u = 1; u < chance.size(); ++u) chance[u] += chance[u - 1];
  return chance;
}

// Of the groups of equal values among both sides, the sum of (t^3 - t).
double tie_sum(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  double sum = 0;
  for (std::size_t i = 0; i < all.size();) {
    const auto from = i;
    while (i < all.size() && all[i] == all[from]) ++i;
    const auto t = static_cast<double>(i - from);
    sum += t * t * t - t;
  }
  return sum;
}

double u_of(std::span<const double> a, std::span<const double> b) {
  double u = 0;
  for (const double x : a)
    for (const double y : b) u += x > y ? 1 : x == y ? 0.5 : 0;
  return u;
}

double deviation(double n, double m, double ties) {
  const double all = n + m;
  return std::sqrt(std::max(0.0, n * m / 12 * ((all + 1) - ties / (all * (all - 1)))));
}

bool few(std::span<const double> a, std::span<const double> b) {
  return a.size() <= exact_values_max && b.size() <= exact_values_max;
}

double normal_p(double u, double n, double m, double ties) {
  const double spread = deviation(n, m, ties);
  if (spread == 0) return 1;  // all values are the same
  const double beyond = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return std::min(1.0, 2 * cdf(complement(boost::math::normal(), beyond / spread)));
}

}  // namespace

RankTest rank_test(std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double ties = tie_sum(a, b);
  RankTest test;
  test.u = u_of(a, b);
  test.exact = ties == 0 && few(a, b);
  test.p = normal_p(test.u, n, m, ties);
  test.least_p = normal_p(0, n, m, 0);
  if (!few(a, b)) return test;
  const auto chance = exact_distribution(a.size(), b.size());
  test.least_p = std::min(1.0, 2 * chance.front());
  if (test.exact) test.p = std::min(1.0, 2 * chance[static_cast<std::size_t>(std::min(test.u, n * m - test.u))]);
  return test;
}

Shift shift_between(std::span<const double> a, std::span<const double> b, double confidence) {
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b) differences.push_back(x - y);
  std::ranges::sort(differences);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  // Excludes as many differences at either end as the test attributes to chance.
  const double tail = (1 - confidence) / 2;
  std::size_t cut = 0;
  double coverage = 0;
  if (few(a, b)) {
    const auto chance = exact_distribution(a.size(), b.size());
    while (2 * (cut + 1) < differences.size() && chance[cut + 1] <= tail) ++cut;
    coverage = 1 - 2 * chance[cut];
  } else {
    const double z = quantile(complement(boost::math::normal(), tail));
    cut = static_cast<std::size_t>(std::max(0.0, std::floor(n * m / 2 - z * deviation(n, m, 0) - 0.5)));
    coverage = confidence;
  }
  return {quantile(differences, 0.5),
          {differences[cut], differences[differences.size() - 1 - cut], std::max(0.0, coverage)}};
}

}  // namespace lw
