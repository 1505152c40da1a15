// Writes figures in Prometheus' text exposition format 0.0.4. Names, kinds and help come from
// common/metrics/registry.h; a figure that was not measured is absent. Write each family once, with all its samples.
#pragma once

#include "common/metrics/registry.h"
#include "common/wall/wall_file.h"

#include <span>
#include <string>
#include <string_view>

namespace lw {

struct MetricSample {
  std::string labels;  // "flow=\"0\",tile=\"1,0\""
  std::span<const Figure> figures;
};

inline constexpr std::string_view exposition_type = "text/plain; version=0.0.4; charset=utf-8";

// A label's value: made printable (common/base/printable), with backslash, quote and line feed escaped.
std::string escaped_label(std::string_view text);
std::string tile_label(GridCell cell);

// The figures of the samples must be in the order of the metrics.
void expose(std::string& out, std::span<const Metric> metrics, std::span<const MetricSample> samples);
// The version of the running program.
void expose_build(std::string& out);

}  // namespace lw
