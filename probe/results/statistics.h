// What is said of a handful of runs: medians, and how far they may be off. No shape of the distribution is assumed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lw {

struct ConfidenceInterval {
  double low = 0, high = 0;
  double coverage =
      0;  // the chance that such an interval holds the true value; few values may not reach what is wanted
};

struct MedianFigure {
  double median = 0;
  std::optional<ConfidenceInterval> interval;  // none of a single value
  std::size_t runs = 0;
};

std::vector<double> sorted(std::span<const double> values);

// Of sorted values, at least one: by linear interpolation between order statistics (type 7 of Hyndman and Fan, as
// NumPy).
double quantile(std::span<const double> values, double share);

// The narrowest interval between order statistics that is symmetric in rank and holds the median with the wanted
// confidence, by the binomial distribution; from the least to the greatest value where that is not enough (fewer than 6
// values for 95 %). From two values on.
std::optional<ConfidenceInterval> median_interval(std::span<const double> sorted_values, double confidence = 0.95);

// For a caption, of how many values each median is: "Intervals contain the median with a probability of at least 95 %
// (6 runs or more), 93.8 % (5 runs: least to greatest)." Empty where none has an interval.
std::string coverage_text(std::span<const std::size_t> counts, const char* of = "runs");

// Nothing of no values.
std::optional<MedianFigure> median_figure(std::span<const double> values);

}  // namespace lw
