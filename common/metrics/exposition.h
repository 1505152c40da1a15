// Writes figures in Prometheus' text exposition format 0.0.4. Names, kinds and help come from
// common/metrics/registry.h; a figure that was not measured is absent. Write each family once, with all its samples.
#pragma once

#include "common/metrics/histograms.h"
#include "common/metrics/registry.h"
#include "common/wall/wall_file.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct MetricSample {
  std::string labels;  // "flow=\"0\",tile=\"1,0\""
  std::span<const Figure> figures;
};

inline constexpr std::string_view exposition_type = "text/plain; version=0.0.4; charset=utf-8";

// A label's value: made printable (common/base/printable), with backslash, quote and line feed escaped.
std::string escaped_label(std::string_view text);
// By its column and row, or its name.
std::string tile_label(const Wall& wall, GridCell cell);

// The figures of the samples must be in the order of the metrics.
void expose(std::string& out, std::span<const Metric> metrics, std::span<const MetricSample> samples);
struct HistogramSample {
  std::string labels;
  TimeHistogram::Reading reading;
};
// A histogram family with its samples: `_bucket` with the bounds of `scale` in seconds, `_sum` and `_count`. Histograms
// without observations are absent.
void expose(std::string& out, const HistogramMetric& metric, const TimeScale& scale,
            std::span<const HistogramSample> samples);
// All families of a struct: `samples` are pairs of labels and HistogramReadings.
template <class Owner>
void expose_histograms(std::string& out, const auto& samples) {
  const Owner bounds;
  for (std::size_t row = 0; row < registry::histogram_rows<Owner>.size(); ++row) {
    const auto& [metric, member] = registry::histogram_rows<Owner>.at(row);
    std::vector<HistogramSample> of_row;
    for (const auto& [labels, readings] : samples) of_row.push_back({labels, readings[row]});
    expose(out, metric, (bounds.*member).scale(), of_row);
  }
}
// The version of the running program.
void expose_build(std::string& out);

}  // namespace lw
