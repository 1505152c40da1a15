#include "wall-control/models/flow_history.h"

#include "wall-control/ui/tile_names.h"

#include <QDateTime>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr std::size_t trouble_samples = 20;  // two seconds
constexpr std::size_t fps_samples = 10;      // one second

std::optional<int> whole_number(const Figure& figure) {
  const auto whole = figure.whole();
  return whole ? std::optional(static_cast<int>(*whole)) : std::nullopt;
}

qint64 count(const Figure& figure) { return static_cast<qint64>(figure.whole().value_or(0)); }

}  // namespace

void FlowHistory::set_wall(const WallInfo& wall) {
  name_tiles(wall);
  const auto same = flows_.size() == wall.flows.size();
  if (same && !flows_.empty()) return;  // reconnected to the same wall: the history continues
  clear();
  for (const auto& flow : wall.flows) {
    FlowRow row;
    row.flow = static_cast<int>(flow.flow);
    row.column = static_cast<int>(flow.tile.column);
    row.row = static_cast<int>(flow.tile.row);
    row.node = QString::fromStdString(flow.node);
    flows_.push_back(std::move(row));
  }
  for (const auto& node : wall.nodes)
    for (const auto& tile : node.tiles) {
      TileRow row;
      row.column = static_cast<int>(tile.column);
      row.row = static_cast<int>(tile.row);
      row.node = QString::fromStdString(node.name);
      tiles_.push_back(std::move(row));
    }
}

void FlowHistory::clear() {
  ++generation_;
  flows_.clear();
  tiles_.clear();
  wall_ = {};
  times_ = {};
}

const TileRow* FlowHistory::tile(int column, int row) const {
  return const_cast<FlowHistory*>(this)->find_tile(column, row);
}

std::vector<SeriesLine> FlowHistory::lines(Quantity quantity, const Part& part) const {
  std::vector<SeriesLine> lines;
  switch (info(quantity).scope) {
    case Scope::flow:
      for (const auto& flow : flows_)
        if (part.has(flow) && (!part.flow || flow.flow == *part.flow))
          lines.push_back({flow.flow, tr("flow %1").arg(flow.flow), &flow.series.of(quantity)});
      break;
    case Scope::tile:
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        if (part.has(tiles_[i]))
          lines.push_back({static_cast<int>(i), with_tile(tr("tile %1,%2"), tiles_[i].column, tiles_[i].row),
                           &tiles_[i].series.of(quantity)});
      break;
    case Scope::wall:
      lines.push_back({0, tr("wall"), &wall_.series.of(quantity)});
      break;
  }
  return lines;
}

Part FlowHistory::part_of_flow(int number) const {
  const auto* flow = const_cast<FlowHistory*>(this)->find_flow(number);
  return flow == nullptr ? Part{} : Part{flow->column, flow->row, flow->flow};
}

const TileRow* FlowHistory::tile_of(Scope scope, int index) const {
  if (scope == Scope::tile)
    return index < 0 || index >= static_cast<int>(tiles_.size()) ? nullptr : &tiles_[static_cast<std::size_t>(index)];
  const auto part = scope == Scope::flow ? part_of_flow(index) : Part{};
  return part.column ? tile(*part.column, *part.row) : nullptr;
}

QStringList FlowHistory::nodes() const {
  QStringList names;
  for (const auto& tile : tiles_)
    if (!names.contains(tile.node)) names << tile.node;
  return names;
}

void FlowHistory::take_flow(FlowRow& row, const ReceiverFlowReport& report, double interval) {
  const auto& figures = report.figures;
  row.reported = true;
  row.receiving = report.receiving.value_or(false);
  row.gbit_per_s = report.gbit_per_s;
  row.jitter_us = figures["jitter_us"].number();
  row.delay_us_p99 = figures["delay_us_p99"].number();
  row.packets = count(figures["packets"]);
  row.lost = count(info(Quantity::loss).of(figures.values()));
  row.kernel_drops = count(info(Quantity::kernel_drops).of(figures.values()));
  row.reordered = count(figures["reordered"]);
  row.duplicates = count(figures["duplicates"]);
  row.late = count(figures["late"]);
  row.invalid = count(figures["invalid"]);
  row.receiver_cpu = report.cpu.value_or(-1);
  auto values = row.others;
  put_figures(values, figures);
  values[static_cast<std::size_t>(Quantity::throughput)] = report.gbit_per_s;
  if (!row.receiving)
    values[static_cast<std::size_t>(Quantity::jitter)].reset();  // the old value remains in the report
  row.series.add(values, interval);
}

void FlowHistory::take_tile(TileRow& row, const TileReport& report, double interval) {
  const auto& figures = report.figures;
  QuantityValues values;
  put_figures(values, figures);
  row.series.add(values, interval);
  row.frame = whole_number(figures["frame"]);
  if (report.fps) row.fps_history.push_back(*report.fps);
  if (row.fps_history.size() > fps_samples) row.fps_history.erase(row.fps_history.begin());
  row.fps.reset();
  if (!row.fps_history.empty())
    row.fps = std::accumulate(row.fps_history.begin(), row.fps_history.end(), 0.0) /
              static_cast<double>(row.fps_history.size());
  row.lateness_us_p99 = figures["lateness_us_p99"].number();
  row.frames_due = count(figures["frames_due"]);
  row.shown_whole = count(figures["shown_whole"]);
  row.shown_repaired = count(figures["shown_repaired"]);
  row.shown_concealed = count(figures["shown_concealed"]);
  row.not_shown = count(figures["not_shown"]);
  row.late = count(figures["late"]);
  row.trouble_history.push_back(row.shown_concealed + row.not_shown + row.late);
  if (row.trouble_history.size() > trouble_samples) row.trouble_history.erase(row.trouble_history.begin());
  row.troubles = std::max<qint64>(0, row.trouble_history.back() - row.trouble_history.front());
}

FlowRow* FlowHistory::find_flow(int number) {
  // They are listed in this order.
  if (number >= 0 && number < static_cast<int>(flows_.size()) &&
      flows_[static_cast<std::size_t>(number)].flow == number)
    return &flows_[static_cast<std::size_t>(number)];
  const auto found = std::ranges::find(flows_, number, &FlowRow::flow);
  return found == flows_.end() ? nullptr : &*found;
}

TileRow* FlowHistory::find_tile(int column, int row) {
  const auto found =
      std::ranges::find_if(tiles_, [&](const TileRow& tile) { return tile.column == column && tile.row == row; });
  return found == tiles_.end() ? nullptr : &*found;
}

void FlowHistory::take_wall(const WallReport& report, double interval) {
  wall_.frame = report.frame ? std::optional(static_cast<int>(*report.frame)) : std::nullopt;
  auto figures = report.figures;
  wall_.skew_unknown = skew_is_unknown(report);
  if (wall_.skew_unknown) figures.drop_what_needs_clock_bound();
  wall_.skew_us_p50 = figures["skew_us_p50"].number();
  wall_.skew_us_p99 = figures["skew_us_p99"].number();
  wall_.skew_error_us = figures["skew_error_us"].number();
  wall_.playout_delay_us = figures["playout_delay_us"].number();
  QuantityValues values;
  put_figures(values, figures);
  wall_.series.add(values, interval);
  for (const auto& flow : report.flows)
    if (auto* row = find_flow(static_cast<int>(flow.flow))) put_figures(row->others, flow.figures);
}

void FlowHistory::take_sender(const SenderFlowReport& report) {
  auto* row = find_flow(static_cast<int>(report.flow));
  if (row == nullptr) return;
  row->sender_cpu = report.cpu.value_or(-1);
  row->sent = count(report.figures["packets"]);
  row->rtt_us = report.figures["rtt_us"].number();
  put_figures(row->others, report.figures);
}

void FlowHistory::take_report(const NodeReport& report, double interval) {
  for (const auto& flow : report.flows) {
    auto* row = find_flow(static_cast<int>(flow.flow));
    if (row == nullptr) continue;
    row->in_newest = true;
    take_flow(*row, flow, interval);
    if (auto* tile = find_tile(row->column, row->row)) tile->receiving = tile->receiving || row->receiving;
  }
  for (const auto& shown : report.tiles) {
    auto* tile = find_tile(static_cast<int>(shown.tile.column), static_cast<int>(shown.tile.row));
    if (tile == nullptr) continue;
    tile->in_newest = true;
    take_tile(*tile, shown, interval);
  }
}

void FlowHistory::add(const Stats& stats) {
  const auto time = QDateTime::fromString(QString::fromStdString(stats.time.value_or("")), Qt::ISODateWithMs);
  const auto time_ms = time.isValid() ? std::optional(time.toMSecsSinceEpoch()) : std::nullopt;
  if (time_ms) add_gap(times_.missing_before(*time_ms));
  times_.add(time_ms);
  for (auto& flow : flows_) {
    flow.in_newest = false;
    flow.others = {};
  }
  for (auto& tile : tiles_) tile.connected = tile.receiving = tile.in_newest = false;
  take_wall(stats.wall, stats.interval_s);
  for (const auto& flow : stats.sender) take_sender(flow);
  for (const auto& node : stats.nodes) {
    const auto name = QString::fromStdString(node.node);
    for (auto& tile : tiles_)
      if (tile.node == name) tile.connected = node.connected;
    if (node.report) take_report(*node.report, stats.interval_s);
  }
  add_missing();
}

// Rows that no report mentioned.
void FlowHistory::add_missing() {
  for (auto& flow : flows_) {
    if (flow.in_newest) continue;
    flow.reported = flow.receiving = false;
    flow.series.add(flow.others, 0);
  }
  for (auto& tile : tiles_)
    if (!tile.in_newest) tile.series.add_gap();
}

void FlowHistory::add_gap(int samples) {
  if (samples == 0 || times_.count() == 0) return;
  for (auto& tile : tiles_) tile.connected = tile.receiving = tile.in_newest = false;
  for (auto& flow : flows_) {
    flow.in_newest = false;
    flow.others = {};
  }
  wall_.skew_us_p50.reset();
  wall_.skew_us_p99.reset();
  wall_.skew_error_us.reset();
  wall_.skew_unknown = false;
  wall_.playout_delay_us.reset();
  for (int i = 0; i < samples; ++i) {
    times_.add(std::nullopt);
    wall_.series.add_gap();
    add_missing();
  }
}

}  // namespace lw
