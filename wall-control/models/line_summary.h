// Figures of a quantity over a time: by flow, by tile or for the wall, the worst first. If only seconds are kept, the
// least and the greatest of each second represent its samples.
#pragma once

#include "wall-control/models/flow_history.h"

#include <optional>
#include <span>
#include <vector>

namespace lw {

// Without gaps, sorted.
std::vector<float> sorted_samples(const TimeSeries& series, const SampleSpan& span);
// Half a million in a few milliseconds.
void sort_samples(std::vector<float>& samples);
// For sorted samples, at least one: the value that `share` of them do not exceed.
double quantile(std::span<const float> sorted, double share);
// The same for samples in any order, which it changes.
double quantile_of(std::span<float> samples, double share);
// In time order, without gaps.
std::vector<float> values_of(const TimeSeries& series, const SampleSpan& span);
// Of a rate: its mean; at most that, if only the least and the greatest of each second are kept. None without samples.
std::optional<double> rate_of(const TimeSeries& series, const SampleSpan& span);

struct LineSummary {
  SeriesLine line;
  std::size_t samples = 0;  // without samples the others are not set
  double least = 0, median = 0, p99 = 0, greatest = 0;
  [[nodiscard]] double worst(bool low_is_bad) const { return low_is_bad ? least : greatest; }
};
LineSummary summary_of(const SeriesLine& line, const SampleSpan& span);
std::vector<LineSummary> summaries(const FlowHistory& history, Quantity quantity, const Part& part,
                                   const SampleSpan& span);

}  // namespace lw
