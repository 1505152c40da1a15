#include "probe/results/statistics.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace lw {

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

std::optional<MedianFigure> median_figure(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto in_order = sorted(values);
  return MedianFigure{quantile(in_order, 0.5), median_interval(in_order), in_order.size()};
}

}  // namespace lw
