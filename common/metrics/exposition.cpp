#include "common/metrics/exposition.h"

#include "common/base/printable.h"

#include <fmt/format.h>

#include <utility>

namespace lw {

std::string escaped_label(std::string_view text) {
  std::string out;
  for (const char c : printable(text, Lines::kept)) {
    if (c == '\\' || c == '"' || c == '\n') out += '\\';
    out += c == '\n' ? 'n' : c;
  }
  return out;
}

std::string tile_label(const Wall& wall, GridCell cell) {
  const auto tile = wall.grid.is_free() ? wall.find_tile(cell) : std::nullopt;
  return tile ? fmt::format("tile=\"{}\"", wall.tile(*tile).name)
              : fmt::format("tile=\"{},{}\"", cell.column, cell.row);
}

void expose(std::string& out, std::span<const Metric> metrics, std::span<const MetricSample> samples) {
  for (std::size_t row = 0; row < metrics.size(); ++row) {
    const auto& metric = metrics[row];
    bool headed = false;
    for (const auto& sample : samples) {
      const auto value = sample.figures[row].number();
      if (!value) continue;
      if (!std::exchange(headed, true))
        out += fmt::format("# HELP lambdawall_{} {}\n# TYPE lambdawall_{} {}\n", metric.prometheus, metric.help,
                           metric.prometheus, metric.prometheus_type());
      out += fmt::format("lambdawall_{}{{{}}} {}\n", metric.prometheus, sample.labels, *value * metric.scale());
    }
  }
}

void expose(std::string& out, const HistogramMetric& metric, const TimeScale& scale,
            std::span<const HistogramSample> samples) {
  constexpr double ns = 1e-9;
  const auto name = fmt::format("lambdawall_{}", metric.prometheus);
  bool headed = false;
  for (const auto& [labels, reading] : samples) {
    if (reading.count() == 0) continue;
    if (!std::exchange(headed, true))
      out += fmt::format("# HELP {} {}\n# TYPE {} histogram\n", name, metric.help, name);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < scale.bounds.size(); ++i) {
      count += reading.counts[i];
      out += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", name, labels,
                         static_cast<double>(scale.bounds[i].count()) / 1e9, count);
    }
    out += fmt::format("{}_bucket{{{},le=\"+Inf\"}} {}\n", name, labels, reading.count());
    out += fmt::format("{}_sum{{{}}} {}\n", name, labels, static_cast<double>(reading.sum_ns) * ns);
    out += fmt::format("{}_count{{{}}} {}\n", name, labels, reading.count());
  }
}

void expose_build(std::string& out) {
  out += fmt::format(
      "# HELP lambdawall_build_info The version of the running program\n# TYPE lambdawall_build_info "
      "gauge\nlambdawall_build_info{{version=\"{}\"}} 1\n",
      LW_VERSION);
}

}  // namespace lw
