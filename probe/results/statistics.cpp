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

namespace {

// How many values an interval excludes at either end, and how probably it then contains the median.
struct Cut {
  std::size_t values = 0;
  double coverage = 0;
};

Cut cut_of(std::size_t count, double confidence) {
  const boost::math::binomial below_median(static_cast<double>(count), 0.5);
  // Excluding `cut` values at either end misses the median if `cut` or fewer values are on one side of it.
  const auto coverage = [&](std::size_t cut) { return 1 - 2 * cdf(below_median, static_cast<double>(cut)); };
  std::size_t cut = 0;
  while (2 * (cut + 1) < count && coverage(cut + 1) >= confidence) ++cut;
  return {cut, coverage(cut)};
}

std::string ordinal(std::size_t number) {
  const auto last = number % 10;
  const bool is_teen = number % 100 / 10 == 1;
  return std::to_string(number) + (is_teen || last == 0 || last > 3 ? "th"
                                   : last == 1                      ? "st"
                                   : last == 2                      ? "nd"
                                                                    : "rd");
}

}  // namespace

std::optional<ConfidenceInterval> median_interval(std::span<const double> values, double confidence) {
  if (values.size() < 2) return std::nullopt;
  const auto cut = cut_of(values.size(), confidence);
  return ConfidenceInterval{values[cut.values], values[values.size() - 1 - cut.values], cut.coverage};
}

std::string coverage_text(std::span<const std::size_t> counts, const char* of) {
  constexpr std::size_t listed_max = 4;
  std::set<std::size_t, std::greater<>> different(counts.begin(), counts.end());
  std::string parts;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
  const auto ample = std::ranges::count_if(different, [](std::size_t count) { return count >= enough_for_95_percent; });
  if (ample > static_cast<std::ptrdiff_t>(listed_max)) {
    add(fmt::format("at least 95 % ({} {} or more)", enough_for_95_percent, of));
    std::erase_if(different, [](std::size_t count) { return count >= enough_for_95_percent; });
  }
  for (const auto count : different) {
    if (count < 2) continue;
    const auto [cut, coverage] = cut_of(count, usual_confidence);
    add(fmt::format("{:.3g} % ({} {}: {} to {})", 100 * coverage, count, of, cut == 0 ? "least" : ordinal(cut + 1),
                    cut == 0 ? "greatest" : ordinal(count - cut)));
  }
  return parts.empty() ? "" : "Intervals contain the median with a probability of " + parts + ".";
}

std::optional<MedianFigure> median_figure(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto in_order = sorted(values);
  return MedianFigure{quantile(in_order, 0.5), median_interval(in_order), in_order.size()};
}

}  // namespace lw
