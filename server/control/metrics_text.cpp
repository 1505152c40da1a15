#include "server/control/metrics_text.h"

#include "common/metrics/exposition.h"
#include "common/metrics/registry.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace lw {

namespace {

std::string connected_text(const std::vector<NodeStats>& nodes) {
  std::string out =
      "# HELP lambdawall_node_connected Whether the node has a control connection\n# TYPE "
      "lambdawall_node_connected gauge\n";
  for (const auto& node : nodes)
    out +=
        fmt::format("lambdawall_node_connected{{node=\"{}\"}} {}\n", escaped_label(node.node), node.connected ? 1 : 0);
  return out;
}

// Samples of one table, from all parts of the message that have it.
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
  Family<SoundNodeStats> sounds;

  void add(const Wall& wall, const std::string& node, const NodeReport& report) {
    const auto label = fmt::format("node=\"{}\"", escaped_label(node));
    if (report.clock) clocks.add(label, report.clock->figures);
    if (report.process) processes.add(label, report.process->figures);
    if (report.sound) sounds.add(label, report.sound->figures);
    for (const auto& flow : report.flows) receivers.add(fmt::format("{},flow=\"{}\"", label, flow.flow), flow.figures);
    for (const auto& tile : report.tiles)
      tiles.add(fmt::format("{},{}", label, tile_label(wall, tile.tile)), tile.figures);
  }
  void write(std::string& out) const {
    receivers.write(out);
    tiles.write(out);
    clocks.write(out);
    processes.write(out);
    sounds.write(out);
  }
};

// Pairs of labels and readings.
template <class Readings>
std::vector<std::pair<std::string, Readings>> by_tile(const Wall& wall, const std::map<unsigned, Readings>& readings) {
  std::vector<std::pair<std::string, Readings>> samples;
  for (const auto& [tile, reading] : readings) samples.emplace_back(tile_label(wall, wall.tile({tile}).cell), reading);
  return samples;
}

}  // namespace

std::string metrics_text(const Wall& wall, const Stats* stats, const ServerHistograms& histograms) {
  std::string out;
  expose_build(out);
  if (stats == nullptr) return out;
  Family<SenderFlowStats> senders;
  for (const auto& flow : stats->sender)
    senders.add(fmt::format("flow=\"{}\",{}", flow.flow, tile_label(wall, flow.tile.value_or(GridCell{}))),
                flow.figures);
  NodeFamilies nodes;
  for (const auto& node : stats->nodes)
    if (node.report) nodes.add(wall, node.node, *node.report);
  Family<WallTileStats> tiles;
  for (const auto& tile : stats->wall.tiles) tiles.add(tile_label(wall, tile.tile), tile.figures);
  Family<WallFlowStats> flows;
  for (const auto& flow : stats->wall.flows) flows.add(fmt::format("flow=\"{}\"", flow.flow), flow.figures);
  const auto label = fmt::format("wall=\"{}\"", escaped_label(wall.name));
  Family<WallStats> whole;
  whole.add(label, stats->wall.figures);
  Family<SystemClockState> clock;
  if (stats->clock) clock.add(label, stats->clock->figures);

  Family<SiteStats> sites;
  for (const auto& site : stats->sites) sites.add(fmt::format("site=\"{}\"", escaped_label(site.site)), site.figures);

  out += connected_text(stats->nodes);
  senders.write(out);
  nodes.write(out);
  tiles.write(out);
  flows.write(out);
  whole.write(out);
  clock.write(out);
  sites.write(out);
  expose_histograms<SenderFlowHistograms>(out, by_tile(wall, histograms.senders));
  expose_histograms<WallFlowHistograms>(out, by_tile(wall, histograms.flights));
  expose_histograms<WallHistograms>(out, std::array{std::pair(label, histograms.wall)});
  return out;
}

}  // namespace lw
