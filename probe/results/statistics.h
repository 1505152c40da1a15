// Statistics of a few runs: medians and their uncertainty, without assumptions about the distribution.
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
      0;  // the chance that such an interval contains the true value; few values may not reach the wanted confidence
};

struct MedianFigure {
  double median = 0;
  std::optional<ConfidenceInterval> interval;  // empty for a single value
  std::size_t runs = 0;
};

std::vector<double> sorted(std::span<const double> values);

// `values`: sorted, at least one. Linear interpolation between order statistics (type 7 of Hyndman and Fan, as in
// NumPy).
double quantile(std::span<const double> values, double share);

// The narrowest interval between order statistics that is symmetric in rank and contains the median with the given
// confidence, by the binomial distribution; from the least to the greatest value if that is not enough (fewer than 6
// values for 95 %). Needs at least two values.
inline constexpr double usual_confidence = 0.95;
std::optional<ConfidenceInterval> median_interval(std::span<const double> sorted_values,
                                                  double confidence = usual_confidence);

// A caption for medians of this many values each, with the exact coverage of the interval that each number has:
// "Intervals contain the median with a probability of 97.9 % (10 runs: 2nd to 9th), 75 % (3 runs: least to greatest)."
// Empty if none has an interval. More than four numbers that reach 95 % are summarized.
std::string coverage_text(std::span<const std::size_t> counts, const char* of = "runs");

// Empty if there are no values.
std::optional<MedianFigure> median_figure(std::span<const double> values);

}  // namespace lw
