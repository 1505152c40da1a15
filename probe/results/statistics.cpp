#include "probe/results/statistics.h"

#include <fmt/format.h>
#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw {
namespace {

constexpr std::size_t enough_for_95_percent = 6;

}  // namespace

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::ranges::sort(out);
  return out;
}

double quantile(std::span<const double> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

std::optional<ConfidenceInterval> median_interval(std::span<const double> values, double confidence) {
  if (values.size() < 2) return std::nullopt;
  const boost::math::binomial below_median(static_cast<double>(values.size()), 0.5);
  // Excluding `cut` values at either end misses the median if `cut` or fewer values are on one side of it.
  const auto coverage = [&](std::size_t cut) { return 1 - 2 * cdf(below_median, static_cast<double>(cut)); };
  std::size_t cut = 0;
  while (2 * (cut + 1) < values.size() && coverage(cut + 1) >= confidence) ++cut;
  return ConfidenceInterval{values[cut], values[values.size() - 1 - cut], coverage(cut)};
}

std::string coverage_text(std::span<const std::size_t> counts, const char* of) {
  const std::set<std::size_t, std::greater<>> different(counts.begin(), counts.end());
  std::string parts;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
  if (!different.empty() && *different.begin() >= enough_for_95_percent)
    add(fmt::format("at least 95 % ({} {} or more)", enough_for_95_percent, of));
  // Both extremes are on the same side of the median with a probability of 2 / 2^n.
  for (const auto count : different)
    if (count >= 2 && count < enough_for_95_percent)
      add(fmt::format("{:.3g} % ({} {}: least to greatest)", 100 * (1 - std::exp2(1 - static_cast<double>(count))),
                      count, of));
  return parts.empty() ? "" : "Intervals contain the median with a probability of " + parts + ".";
}

std::optional<MedianFigure> median_figure(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto in_order = sorted(values);
  return MedianFigure{quantile(in_order, 0.5), median_interval(in_order), in_order.size()};
}

}  // namespace lw
