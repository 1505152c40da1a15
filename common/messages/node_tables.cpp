#include "common/messages/node_tables.h"

#include "common/messages/table_rows.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

struct NodeShapes {
  TableShape report = shape_of<ReportHead>("report");
  TableShape clock = shape_of<ClockReport>("clock");
  TableShape process = shape_of<ProcessReport>("process");
  TableShape sound = shape_of<SoundReport>("sound");
  TableShape flows = shape_of<ReceiverFlowReport>("flows");
  TableShape tiles = shape_of<TileReport>("tiles");
  std::vector<bool> urgent_flows = columns_of(flows, urgent_of_flows);
  std::vector<bool> urgent_paths = columns_of(flows, urgent_of_paths);
  std::vector<bool> urgent_tiles = columns_of(tiles, urgent_of_tiles);
};

struct UrgentFigures {
  std::vector<std::size_t> flows = rows_named<ReceiverFlowStats>(urgent_of_flows);
  std::vector<std::size_t> tiles = rows_named<TileStats>(urgent_of_tiles);
  UrgentFigures() {
    const auto of_paths = rows_named<ReceiverFlowStats>(urgent_of_paths);
    flows.insert(flows.end(), of_paths.begin(), of_paths.end());
  }
};
const UrgentFigures& urgent_figures() {
  static const UrgentFigures figures;
  return figures;
}

// Those of a report between two with all figures.
std::vector<bool> urgent_flow_columns(const NodeReport& report) {
  auto columns = shapes<NodeShapes>().urgent_flows;
  if (std::ranges::none_of(report.flows, [](const auto& flow) { return flow.figures["second_path"].measured(); }))
    return columns;
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = columns[i] || shapes<NodeShapes>().urgent_paths[i];
  return columns;
}

}  // namespace

std::span<const std::size_t> urgent_figures_of_flows() { return urgent_figures().flows; }
std::span<const std::size_t> urgent_figures_of_tiles() { return urgent_figures().tiles; }

std::string NodeTablesSender::message(const NodeReport& report, bool detailed) {
  const auto& shape = shapes<NodeShapes>();
  const bool all = detailed || full_;
  tables_.put(shape.report, {row_of(0, ReportHead::of(report))});
  tables_.put(shape.clock, rows_of(report.clock));
  tables_.put(shape.process, rows_of(report.process));
  tables_.put(shape.sound, rows_of(report.sound));
  const auto of_flows = columns_for(all, urgent_flow_columns(report));
  const auto of_tiles = columns_for(all, shape.urgent_tiles);
  flows_ = rows_of(
      report.flows, [](const auto& flow) { return flow.flow; }, of_flows, std::move(flows_));
  tables_.put(shape.flows, flows_, of_flows);
  tiles_ = rows_of(
      report.tiles, [](const auto& tile) { return row_id(tile.tile); }, of_tiles, std::move(tiles_));
  tables_.put(shape.tiles, tiles_, of_tiles);
  auto differences = tables_.take_differences(node_tables_name);
  return std::exchange(full_, false) ? tables_.full(node_tables_name) : differences;
}

Result<const NodeReport*> NodeTablesReceiver::take(Json message) {
  return updated(update(std::move(message)), report_, tables_);
}

Result<void> NodeTablesReceiver::update(Json message) {
  for (auto& tile : report_.tiles) tile.presented.reset();
  if (auto taken = tables_.take(std::move(message)); !taken) return taken;
  std::optional<ReportHead> head;
  if (auto read = read_one(tables_, "report", head); !read) return read;
  if (head) head->put_into(report_);
  if (auto read = read_one(tables_, "clock", report_.clock); !read) return read;
  if (auto read = read_one(tables_, "process", report_.process); !read) return read;
  if (auto read = read_one(tables_, "sound", report_.sound); !read) return read;
  if (auto read = read_all(tables_, "flows", report_.flows); !read) return read;
  return read_all(tables_, "tiles", report_.tiles);
}

}  // namespace lw
