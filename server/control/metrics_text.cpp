// GET /metrics: the newest figures of the server and of all nodes.
#include "common/metrics/exposition.h"
#include "common/metrics/registry.h"
#include "server/control/service_impl.h"

#include <fmt/format.h>

#include <array>

namespace lw {

using Impl = ControlService::Impl;

std::string Impl::metrics_text() const {
  std::string out;
  expose_build(out);
  std::vector<MetricSample> senders;
  std::vector<MetricSample> receivers;
  std::vector<MetricSample> tiles;
  std::vector<MetricSample> clocks;
  std::vector<MetricSample> processes;
  std::vector<MetricSample> tiles_of_wall;
  if (stats_.empty()) return out;
  for (const auto& flow : stats_.at("sender"))
    senders.push_back(
        {fmt::format("flow=\"{}\",{}", flow.at("flow").get<unsigned>(), tile_label(flow.at("tile"))), &flow});
  out +=
      "# HELP lambdawall_node_connected Whether the node's control connection is there\n# TYPE "
      "lambdawall_node_connected gauge\n";
  for (const auto& node : stats_.at("nodes")) {
    const auto name = escaped_label(node.at("node").get<std::string>());
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
  expose(out, metrics_of<SenderFlowStats>, senders);
  expose(out, metrics_of<ReceiverFlowStats>, receivers);
  expose(out, metrics_of<TileStats>, tiles);
  expose(out, metrics_of<ClockStats>, clocks);
  expose(out, metrics_of<ProcessStats>, processes);
  if (stats_.at("wall").contains("tiles"))
    for (const auto& tile : stats_.at("wall").at("tiles"))
      tiles_of_wall.push_back({tile_label(tile.at("tile")), &tile});
  expose(out, metrics_of<WallTileStats>, tiles_of_wall);
  std::vector<MetricSample> flows_of_wall;
  if (stats_.at("wall").contains("flows"))
    for (const auto& flow : stats_.at("wall").at("flows"))
      flows_of_wall.push_back({fmt::format("flow=\"{}\"", flow.at("flow").get<unsigned>()), &flow});
  expose(out, metrics_of<WallFlowStats>, flows_of_wall);
  const auto wall = fmt::format("wall=\"{}\"", escaped_label(wall_.name));
  expose(out, metrics_of<WallStats>, std::array{MetricSample{wall, &stats_.at("wall")}});
  if (const auto clock = stats_.find("clock"); clock != stats_.end())
    expose(out, metrics_of<SystemClockState>, std::array{MetricSample{wall, &*clock}});
  return out;
}

}  // namespace lw
