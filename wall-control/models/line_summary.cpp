#include "wall-control/models/line_summary.h"

#include <algorithm>
#include <cmath>

namespace lw {

std::vector<float> sorted_samples(const TimeSeries& series, const SampleSpan& span) {
  std::vector<float> samples;
  if (TimeSeries::kept_whole(span)) {
    const int end = std::min(span.newer + span.count, series.size());
    for (int age = std::max(0, span.newer); age < end; ++age)
      if (const auto value = series.back(age)) samples.push_back(static_cast<float>(*value));
  } else {
    const int end = std::min((span.newer + span.count) / TimeSeries::samples_per_second, series.seconds());
    for (int age = std::max(0, span.newer / TimeSeries::samples_per_second); age < end; ++age)
      if (const auto second = series.second_back(age)) {
        samples.push_back(second->min);
        samples.push_back(second->max);
      }
  }
  std::ranges::sort(samples);
  return samples;
}

double quantile(std::span<const float> sorted, double share) {
  const auto at = static_cast<std::size_t>(std::max(0.0, std::ceil(share * static_cast<double>(sorted.size())) - 1));
  return sorted[std::min(at, sorted.size() - 1)];
}

LineSummary summary_of(const SeriesLine& line, const SampleSpan& span) {
  const auto samples = sorted_samples(*line.series, span);
  LineSummary summary{line, samples.size()};
  if (samples.empty()) return summary;
  summary.least = samples.front();
  summary.median = quantile(samples, 0.5);
  summary.p99 = quantile(samples, 0.99);
  summary.greatest = samples.back();
  return summary;
}

std::vector<LineSummary> summaries(const FlowHistory& history, Quantity quantity, const Part& part,
                                   const SampleSpan& span) {
  std::vector<LineSummary> all;
  for (const auto& line : history.lines(quantity, part)) all.push_back(summary_of(line, span));
  const bool low = info(quantity).low_is_bad;
  std::ranges::stable_sort(all, [low](const LineSummary& a, const LineSummary& b) {
    if (a.samples == 0 || b.samples == 0) return a.samples > b.samples;
    return low ? a.worst(low) < b.worst(low) : a.worst(low) > b.worst(low);
  });
  return all;
}

}  // namespace lw
