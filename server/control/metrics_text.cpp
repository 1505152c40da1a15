// GET /metrics: the newest figures in Prometheus' text exposition format 0.0.4. Names, kinds and help come from
// common/metrics/registry.h; a figure that was not measured is absent.
#include "common/metrics/registry.h"
#include "server/control/service_impl.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace lw {

using Impl = ControlService::Impl;

namespace {

struct Sample {
  std::string labels;
  const Json* figures;
};

// Label values: backslash, quote and line feed are escaped.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"' || c == '\n') out += '\\';
    out += c == '\n' ? 'n' : c;
  }
  return out;
}

std::string tile_label(const Json& tile) {
  return fmt::format("tile=\"{},{}\"", tile.at(0).get<unsigned>(), tile.at(1).get<unsigned>());
}

void write(std::string& out, std::span<const Metric> metrics, std::span<const Sample> samples) {
  for (const auto& metric : metrics) {
    bool headed = false;
    for (const auto& sample : samples) {
      const auto value = sample.figures->find(metric.key);
      if (value == sample.figures->end() || !value->is_number()) continue;
      if (!std::exchange(headed, true))
        out += fmt::format("# HELP lambdawall_{} {}\n# TYPE lambdawall_{} {}\n", metric.prometheus, metric.help,
                           metric.prometheus, metric.kind == MetricKind::counter ? "counter" : "gauge");
      out += fmt::format("lambdawall_{}{{{}}} {}\n", metric.prometheus, sample.labels,
                         value->get<double>() * metric.scale);
    }
  }
}

}  // namespace

std::string Impl::metrics_text() const {
  std::string out = fmt::format(
      "# HELP lambdawall_build_info The version that runs\n# TYPE lambdawall_build_info "
      "gauge\nlambdawall_build_info{{version=\"{}\"}} 1\n",
      LW_VERSION);
  std::vector<Sample> senders;
  std::vector<Sample> receivers;
  std::vector<Sample> tiles;
  std::vector<Sample> clocks;
  std::vector<Sample> processes;
  std::vector<Sample> tiles_of_wall;
  if (stats_.empty()) return out;
  for (const auto& flow : stats_.at("sender"))
    senders.push_back(
        {fmt::format("flow=\"{}\",{}", flow.at("flow").get<unsigned>(), tile_label(flow.at("tile"))), &flow});
  out +=
      "# HELP lambdawall_node_connected Whether the node's control connection is there\n# TYPE "
      "lambdawall_node_connected gauge\n";
  for (const auto& node : stats_.at("nodes")) {
    const auto name = escaped(node.at("node").get<std::string>());
    out += fmt::format("lambdawall_node_connected{{node=\"{}\"}} {}\n", name, node.at("connected").get<bool>() ? 1 : 0);
    if (!node.contains("report")) continue;
    for (const auto& [member, samples] : {std::pair{"clock", &clocks}, {"process", &processes}})
      if (node.at("report").contains(member))
        samples->push_back({fmt::format("node=\"{}\"", name), &node.at("report").at(member)});
    for (const auto& flow : node.at("report").at("flows"))
      receivers.push_back({fmt::format("node=\"{}\",flow=\"{}\"", name, flow.at("flow").get<std::uint64_t>()), &flow});
    for (const auto& tile : node.at("report").at("tiles"))
      tiles.push_back({fmt::format("node=\"{}\",{}", name, tile_label(tile.at("tile"))), &tile});
  }
  write(out, sender_flow_metrics, senders);
  write(out, receiver_flow_metrics, receivers);
  write(out, tile_metrics, tiles);
  write(out, node_clock_metrics, clocks);
  write(out, node_process_metrics, processes);
  if (stats_.at("wall").contains("tiles"))
    for (const auto& tile : stats_.at("wall").at("tiles"))
      tiles_of_wall.push_back({tile_label(tile.at("tile")), &tile});
  write(out, wall_tile_metrics, tiles_of_wall);
  std::vector<Sample> flows_of_wall;
  if (stats_.at("wall").contains("flows"))
    for (const auto& flow : stats_.at("wall").at("flows"))
      flows_of_wall.push_back({fmt::format("flow=\"{}\"", flow.at("flow").get<unsigned>()), &flow});
  write(out, wall_flow_metrics, flows_of_wall);
  const auto wall = fmt::format("wall=\"{}\"", escaped(wall_.name));
  write(out, wall_metrics, std::array{Sample{wall, &stats_.at("wall")}});
  if (const auto clock = stats_.find("clock"); clock != stats_.end())
    write(out, server_clock_metrics, std::array{Sample{wall, &*clock}});
  return out;
}

}  // namespace lw
