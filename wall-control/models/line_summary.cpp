#include "wall-control/models/line_summary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace lw {

std::vector<float> values_of(const TimeSeries& series, const SampleSpan& span) {
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(std::max(0, span.count)));
  if (TimeSeries::kept_whole(span)) {
    const int end = std::min(span.newer + span.count, series.size());
    for (int age = end - 1; age >= std::max(0, span.newer); --age)
      if (const auto value = series.back(age)) samples.push_back(static_cast<float>(*value));
  } else {
    const int end = std::min((span.newer + span.count) / TimeSeries::samples_per_second, series.seconds());
    for (int age = end - 1; age >= std::max(0, span.newer / TimeSeries::samples_per_second); --age)
      if (const auto second = series.second_back(age)) {
        samples.push_back(second->min);
        samples.push_back(second->max);
      }
  }
  return samples;
}

// By digits of 11 bits; small sets by comparison.
void sort_samples(std::vector<float>& samples) {
  constexpr std::size_t few = 4096, digits = 2048;
  if (samples.size() < few) {
    std::ranges::sort(samples);
    return;
  }
  // As whole numbers, floats have the order of their values once the sign is turned.
  const auto key = [](float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  };
  std::vector<float> other(samples.size());
  for (const unsigned shift : {0U, 11U, 22U}) {
    std::array<std::size_t, digits> begins{};
    for (const float value : samples) ++begins[(key(value) >> shift) % digits];
    std::size_t begin = 0;
    for (auto& count : begins) begin += std::exchange(count, begin);
    for (const float value : samples) other[begins[(key(value) >> shift) % digits]++] = value;
    samples.swap(other);
  }
}

std::vector<float> sorted_samples(const TimeSeries& series, const SampleSpan& span) {
  auto samples = values_of(series, span);
  sort_samples(samples);
  return samples;
}

double quantile_of(std::span<float> samples, double share) {
  const auto at = static_cast<std::size_t>(std::max(0.0, std::ceil(share * static_cast<double>(samples.size())) - 1));
  const auto place = samples.begin() + static_cast<std::ptrdiff_t>(std::min(at, samples.size() - 1));
  std::ranges::nth_element(samples, place);
  return *place;
}

double quantile(std::span<const float> sorted, double share) {
  const auto at = static_cast<std::size_t>(std::max(0.0, std::ceil(share * static_cast<double>(sorted.size())) - 1));
  return sorted[std::min(at, sorted.size() - 1)];
}

std::optional<double> rate_of(const TimeSeries& series, const SampleSpan& span) {
  const auto values = values_of(series, span);
  if (values.empty()) return std::nullopt;
  const std::size_t step = TimeSeries::kept_whole(span) ? 1 : 2;
  double sum = 0;
  for (std::size_t i = step - 1; i < values.size(); i += step) sum += static_cast<double>(values[i]);
  return sum * static_cast<double>(step) / static_cast<double>(values.size());
}

LineSummary summary_of(const SeriesLine& line, const SampleSpan& span) {
  auto samples = values_of(*line.series, span);
  LineSummary summary{line, samples.size()};
  if (samples.empty()) return summary;
  const auto [least, greatest] = std::ranges::minmax(samples);
  summary.least = least;
  summary.median = quantile_of(samples, 0.5);
  summary.p99 = quantile_of(samples, 0.99);
  summary.greatest = greatest;
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
