#include "common/messages/stats_tables.h"

#include "common/messages/node_tables.h"
#include "common/messages/site_tables.h"
#include "common/messages/table_rows.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace lw {
namespace {

struct StatsHead {
  std::optional<std::string> time;
  double interval_s = 0;

  static constexpr bool closed = false;
  static void members(auto& head, auto& visit) {
    visit("time", head.time, Tolerated{});
    visit("interval_s", head.interval_s, Tolerated{});
  }
};

struct StatsShapes {
  TableShape head = shape_of<StatsHead>("stats");
  TableShape clock = shape_of<ServerClockReport>("clock");
  TableShape wall = shape_of<WallReport>("wall");
  TableShape wall_tiles = shape_of<WallTileReport>("wall_tiles");
  TableShape nodes = shape_of<NodeStats>("nodes");
  TableShape reports = shape_of<ReportHead>("reports");
  TableShape clocks = shape_of<ClockReport>("clocks");
  TableShape processes = shape_of<ProcessReport>("processes");
  TableShape sounds = shape_of<SoundReport>("sounds");
  TableShape tiles = shape_of<TileReport>("tiles");
  TableShape wall_flows = shape_of<WallFlowReport>("wall_flows");
  TableShape sender = shape_of<SenderFlowReport>("sender");
  TableShape flows = shape_of<ReceiverFlowReport>("flows");
  std::vector<bool> urgent_tiles = columns_of(tiles, urgent_of_tiles);
  std::vector<bool> urgent_flows = columns_of(flows, urgent_of_flows);
  std::vector<bool> urgent_sender =
      columns_of(sender, std::to_array<std::string_view>({"flow", "tile", "ssrc", "cpu", "send_errors"}));
};

}  // namespace

void StatsTablesSender::put(const Stats& stats, bool all) {
  const auto& shape = shapes<StatsShapes>();
  tables_.put(shape.head, {row_of(0, StatsHead{stats.time, stats.interval_s})});
  tables_.put(shape.clock, rows_of(stats.clock));
  tables_.put(shape.wall, {row_of(0, stats.wall)});
  tables_.put(shape.wall_tiles, rows_of(stats.wall.tiles, [](const auto& tile) { return row_id(tile.tile); }));
  put_nodes(stats, all);
  put_sites(tables_, stats.sites);
  if (!flows_) return;
  tables_.put(shape.wall_flows, rows_of(stats.wall.flows, [](const auto& flow) { return flow.flow; }),
              columns_for(all, std::vector<bool>(shape.wall_flows.columns.size())));
  const auto of_sender = columns_for(all, shape.urgent_sender);
  tables_.put(shape.sender,
              rows_of(
                  stats.sender, [](const auto& flow) { return flow.flow; }, of_sender),
              of_sender);
}

// Nodes have the places that they have in the wall file.
void StatsTablesSender::put_nodes(const Stats& stats, bool all) {
  const auto& shape = shapes<StatsShapes>();
  const auto of_tiles = columns_for(all, shape.urgent_tiles);
  const auto of_flows = columns_for(all, shape.urgent_flows);
  std::vector<TableRow> nodes, reports, clocks, processes, sounds, tiles, flows;
  for (std::size_t i = 0; i < stats.nodes.size(); ++i) {
    const auto& node = stats.nodes[i];
    const auto id = static_cast<std::uint32_t>(i);
    nodes.push_back(row_of(id, node));
    if (!node.report) continue;
    reports.push_back(row_of(id, ReportHead::of(*node.report)));
    if (node.report->clock) clocks.push_back(row_of(id, *node.report->clock));
    if (node.report->process) processes.push_back(row_of(id, *node.report->process));
    if (node.report->sound) sounds.push_back(row_of(id, *node.report->sound));
    for (const auto& tile : node.report->tiles)
      tiles.push_back(row_of(row_id_in(i, row_id(tile.tile)), tile, of_tiles));
    if (flows_)
      for (const auto& flow : node.report->flows) flows.push_back(row_of(row_id_in(i, flow.flow), flow, of_flows));
  }
  std::ranges::sort(tiles, {}, &TableRow::id);
  std::ranges::sort(flows, {}, &TableRow::id);
  tables_.put(shape.nodes, std::move(nodes));
  tables_.put(shape.reports, std::move(reports));
  tables_.put(shape.clocks, std::move(clocks));
  tables_.put(shape.processes, std::move(processes));
  tables_.put(shape.sounds, std::move(sounds));
  tables_.put(shape.tiles, std::move(tiles), of_tiles);
  if (flows_) tables_.put(shape.flows, std::move(flows), of_flows);
}

Result<const Stats*> StatsTablesReceiver::take(Json message) {
  return updated(update(std::move(message)), stats_, tables_);
}

Result<void> StatsTablesReceiver::update(Json message) {
  if (auto taken = tables_.take(std::move(message)); !taken) return taken;
  std::optional<StatsHead> head;
  if (auto read = read_one(tables_, "stats", head); !read) return read;
  if (head) std::tie(stats_.time, stats_.interval_s) = std::pair(std::move(head->time), head->interval_s);
  if (auto read = read_one(tables_, "clock", stats_.clock); !read) return read;
  std::optional<WallReport> wall;
  if (auto read = read_one(tables_, "wall", wall); !read) return read;
  if (wall) std::tie(stats_.wall.frame, stats_.wall.figures) = std::pair(wall->frame, wall->figures);
  if (auto read = read_all(tables_, "wall_tiles", stats_.wall.tiles); !read) return read;
  if (auto read = read_all(tables_, "wall_flows", stats_.wall.flows); !read) return read;
  if (auto read = read_all(tables_, "sender", stats_.sender); !read) return read;
  if (auto read = read_sites(tables_, stats_.sites); !read) return read;
  return read_nodes();
}

// Nodes are few. Of their flows only what changed is read; tiles have events, which a row without changes loses.
Result<void> StatsTablesReceiver::read_nodes() {
  std::vector<NodeStats> nodes;
  if (auto read = read_all(tables_, "nodes", nodes); !read) return read;
  const auto* places = tables_.find("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto place = places->rows[i].id;
    const auto one = [&](std::string_view name, auto& into) -> Result<void> {
      using Message = typename std::remove_reference_t<decltype(into)>::value_type;
      const auto* table = tables_.find(name);
      const auto* of_node = table != nullptr ? table->find(place) : nullptr;
      if (of_node == nullptr) return {};
      auto read = read_row<Message>(*table, *of_node);
      if (!read) return read.error();
      into = std::move(*read);
      return {};
    };
    const auto all = [&](std::string_view name, auto& into, auto* before) -> Result<void> {
      using Message = typename std::remove_reference_t<decltype(into)>::value_type;
      const auto* table = tables_.find(name);
      if (table == nullptr) return {};
      const auto row_of_node = std::ranges::lower_bound(table->rows, row_id_in(place, 0), {}, &TableRow::id);
      const auto from = static_cast<std::size_t>(row_of_node - table->rows.begin());
      auto to = from;
      while (to < table->rows.size() && row_owner(table->rows[to].id) == place) ++to;
      const bool keeps =
          before != nullptr && table->events.empty() && !table->rows_changed && before->size() == to - from;
      if (keeps) into = std::move(*before);
      into.resize(to - from);
      const auto read_at = [&](std::size_t index) -> Result<void> {
        if (index < from || index >= to) return {};
        auto read = read_row<Message>(*table, table->rows[index]);
        if (!read) return read.error();
        into[index - from] = std::move(*read);
        return {};
      };
      const auto end = keeps ? table->changed.size() : to;
      for (auto next = keeps ? std::size_t{0} : from; next < end; ++next)
        if (auto done = read_at(keeps ? table->changed[next] : next); !done) return done;
      return {};
    };
    const bool is_same = !places->rows_changed && i < stats_.nodes.size() && stats_.nodes[i].node == nodes[i].node;
    auto* before = is_same && stats_.nodes[i].report ? &*stats_.nodes[i].report : nullptr;
    std::optional<ReportHead> head;
    if (auto read = one("reports", head); !read) return read;
    if (!head) continue;
    auto& report = nodes[i].report.emplace();
    report.node = nodes[i].node;
    head->put_into(report);
    if (auto read = one("clocks", report.clock); !read) return read;
    if (auto read = one("processes", report.process); !read) return read;
    if (auto read = one("sounds", report.sound); !read) return read;
    if (auto read = all("tiles", report.tiles, before != nullptr ? &before->tiles : nullptr); !read) return read;
    if (auto read = all("flows", report.flows, before != nullptr ? &before->flows : nullptr); !read) return read;
  }
  stats_.nodes = std::move(nodes);
  return {};
}

}  // namespace lw
