// GET /metrics: the newest figures of the server and of all nodes.
#include "common/metrics/exposition.h"
#include "common/metrics/registry.h"
#include "server/control/service_impl.h"

#include <fmt/format.h>

#include <array>

namespace lw {

using Impl = ControlService::Impl;

namespace {

std::string connected_text(const std::vector<NodeStats>& nodes) {
  std::string out =
      "# HELP lambdawall_node_connected Whether the node's control connection is there\n# TYPE "
      "lambdawall_node_connected gauge\n";
  for (const auto& node : nodes)
    out +=
        fmt::format("lambdawall_node_connected{{node=\"{}\"}} {}\n", escaped_label(node.node), node.connected ? 1 : 0);
  return out;
}

// Samples of one table, of all that have a part of the message in common.
template <class Stats>
class Family {
public:
  void add(std::string labels, const Figures<Stats>& figures) {
    samples_.push_back({std::move(labels), figures.values()});
  }
  void write(std::string& out) const { expose(out, metrics_of<Stats>, samples_); }

private:
  std::vector<MetricSample> samples_;
};

struct NodeFamilies {
  Family<ReceiverFlowStats> receivers;
  Family<TileStats> tiles;
  Family<ClockStats> clocks;
  Family<ProcessStats> processes;

  void add(const std::string& node, const NodeReport& report) {
    const auto label = fmt::format("node=\"{}\"", escaped_label(node));
    if (report.clock) clocks.add(label, report.clock->figures);
    if (report.process) processes.add(label, report.process->figures);
    for (const auto& flow : report.flows) receivers.add(fmt::format("{},flow=\"{}\"", label, flow.flow), flow.figures);
    for (const auto& tile : report.tiles) tiles.add(fmt::format("{},{}", label, tile_label(tile.tile)), tile.figures);
  }
  void write(std::string& out) const {
    receivers.write(out);
    tiles.write(out);
    clocks.write(out);
    processes.write(out);
  }
};

}  // namespace

std::string Impl::metrics_text() const {
  std::string out;
  expose_build(out);
  if (!stats_time_) return out;
  Family<SenderFlowStats> senders;
  for (const auto& flow : stats_.sender)
    senders.add(fmt::format("flow=\"{}\",{}", flow.flow, tile_label(flow.tile.value_or(TileId{}))), flow.figures);
  NodeFamilies nodes;
  for (const auto& node : stats_.nodes)
    if (node.report) nodes.add(node.node, *node.report);
  Family<WallTileStats> tiles;
  for (const auto& tile : stats_.wall.tiles) tiles.add(tile_label(tile.tile), tile.figures);
  Family<WallFlowStats> flows;
  for (const auto& flow : stats_.wall.flows) flows.add(fmt::format("flow=\"{}\"", flow.flow), flow.figures);
  const auto label = fmt::format("wall=\"{}\"", escaped_label(wall_.name));
  Family<WallStats> wall;
  wall.add(label, stats_.wall.figures);
  Family<SystemClockState> clock;
  if (stats_.clock) clock.add(label, stats_.clock->figures);

  out += connected_text(stats_.nodes);
  senders.write(out);
  nodes.write(out);
  tiles.write(out);
  flows.write(out);
  wall.write(out);
  clock.write(out);
  return out;
}

}  // namespace lw
