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

std::string tile_label(GridCell cell) { return fmt::format("tile=\"{},{}\"", cell.column, cell.row); }

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

void expose_build(std::string& out) {
  out += fmt::format(
      "# HELP lambdawall_build_info The version of the running program\n# TYPE lambdawall_build_info "
      "gauge\nlambdawall_build_info{{version=\"{}\"}} 1\n",
      LW_VERSION);
}

}  // namespace lw
