#include "wall-control/models/flow_history.h"

#include "wall-control/models/json_number.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr std::size_t trouble_samples = 20;  // two seconds
constexpr std::size_t fps_samples = 10;      // one second

qint64 count(const QJsonObject& json, const char* key) { return json[key].toInteger(); }

void copy(const QJsonObject& from, const char* key, QJsonObject& into) {
  if (const auto value = from[key]; value.isDouble()) into[key] = value;
}

}  // namespace

void FlowHistory::set_wall(const QJsonObject& info) {
  const auto wall = info["wall"].toObject();
  const auto same = flows_.size() == static_cast<std::size_t>(wall["flows"].toArray().size());
  if (same && !flows_.empty()) return;  // reconnected to the same wall: the history goes on
  clear();
  for (const auto& entry : wall["flows"].toArray()) {
    const auto json = entry.toObject();
    FlowRow row;
    row.flow = json["flow"].toInt();
    row.column = json["tile"].toArray().at(0).toInt();
    row.row = json["tile"].toArray().at(1).toInt();
    row.node = json["node"].toString();
    flows_.push_back(std::move(row));
  }
  for (const auto& node : wall["nodes"].toArray())
    for (const auto& tile : node.toObject()["tiles"].toArray()) {
      TileRow row;
      row.column = tile.toArray().at(0).toInt();
      row.row = tile.toArray().at(1).toInt();
      row.node = node.toObject()["name"].toString();
      tiles_.push_back(std::move(row));
    }
}

void FlowHistory::clear() {
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
  const auto in_tile = [&](const auto& row) {
    return !part.column || (row.column == *part.column && row.row == *part.row);
  };
  switch (info(quantity).scope) {
    case Scope::flow:
      for (const auto& flow : flows_)
        if (in_tile(flow) && (!part.flow || flow.flow == *part.flow))
          lines.push_back({flow.flow, tr("flow %1").arg(flow.flow), &flow.series.of(quantity)});
      break;
    case Scope::tile:
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        if (in_tile(tiles_[i]))
          lines.push_back({static_cast<int>(i), tr("tile %1,%2").arg(tiles_[i].column).arg(tiles_[i].row),
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

void FlowHistory::take_flow(FlowRow& row, const QJsonObject& json, double interval) {
  row.reported = true;
  row.receiving = json["receiving"].toBool();
  row.gbit_per_s = number(json["gbit_per_s"]);
  row.jitter_us = number(json["jitter_us"]);
  row.delay_us_p99 = number(json["delay_us_p99"]);
  row.packets = count(json, "packets");
  row.lost = count(json, "lost");
  row.kernel_drops = count(json, "kernel_drops");
  row.reordered = count(json, "reordered");
  row.duplicates = count(json, "duplicates");
  row.late = count(json, "late");
  row.invalid = count(json, "invalid");
  row.receiver_cpu = json["cpu"].toInt(-1);
  auto figures = json;
  if (!row.receiving) figures.remove("jitter_us");  // it stands where it was
  for (auto other = row.others.begin(); other != row.others.end(); ++other) figures[other.key()] = other.value();
  row.series.add(figures, interval);
}

void FlowHistory::take_tile(TileRow& row, const QJsonObject& json, double interval) {
  row.series.add(json, interval);
  row.frame = whole_number(json["frame"]);
  if (const auto fps = number(json["fps"])) row.fps_history.push_back(*fps);
  if (row.fps_history.size() > fps_samples) row.fps_history.erase(row.fps_history.begin());
  row.fps.reset();
  if (!row.fps_history.empty())
    row.fps = std::accumulate(row.fps_history.begin(), row.fps_history.end(), 0.0) /
              static_cast<double>(row.fps_history.size());
  row.lateness_us_p99 = number(json["lateness_us_p99"]);
  row.frames_due = count(json, "frames_due");
  row.shown_whole = count(json, "shown_whole");
  row.shown_repaired = count(json, "shown_repaired");
  row.shown_concealed = count(json, "shown_concealed");
  row.not_shown = count(json, "not_shown");
  row.late = count(json, "late");
  row.trouble_history.push_back(row.shown_concealed + row.not_shown + row.late);
  if (row.trouble_history.size() > trouble_samples) row.trouble_history.erase(row.trouble_history.begin());
  row.troubles = std::max<qint64>(0, row.trouble_history.back() - row.trouble_history.front());
}

FlowRow* FlowHistory::find_flow(int number) {
  // They are listed in their order.
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

void FlowHistory::take_wall(const QJsonObject& json, double interval) {
  wall_.frame = whole_number(json["frame"]);
  wall_.skew_us_p50 = number(json["skew_us_p50"]);
  wall_.skew_us_p99 = number(json["skew_us_p99"]);
  wall_.playout_delay_us = number(json["playout_delay_us"]);
  wall_.series.add(json, interval);
  for (const auto& entry : json["flows"].toArray())
    if (auto* row = find_flow(entry.toObject()["flow"].toInt(-1))) copy(entry.toObject(), "flight_us_p99", row->others);
}

void FlowHistory::take_sender(const QJsonObject& json) {
  auto* row = find_flow(json["flow"].toInt(-1));
  if (row == nullptr) return;
  row->sender_cpu = json["cpu"].toInt(-1);
  row->sent = count(json, "packets");
  row->rtt_us = number(json["rtt_us"]);
  for (const char* stage : {"read_us_p99", "queue_us_p99", "send_us_p99"}) copy(json, stage, row->others);
}

void FlowHistory::take_report(const QJsonObject& report, double interval) {
  for (const auto& entry : report["flows"].toArray()) {
    const auto json = entry.toObject();
    auto* row = find_flow(json["flow"].toInt(-1));
    if (row == nullptr) continue;
    row->in_newest = true;
    take_flow(*row, json, interval);
    if (auto* tile = find_tile(row->column, row->row)) tile->receiving = tile->receiving || row->receiving;
  }
  for (const auto& entry : report["tiles"].toArray()) {
    const auto json = entry.toObject();
    const auto place = json["tile"].toArray();
    auto* tile = find_tile(place.at(0).toInt(-1), place.at(1).toInt(-1));
    if (tile == nullptr) continue;
    tile->in_newest = true;
    take_tile(*tile, json, interval);
  }
}

void FlowHistory::add(const QJsonObject& stats) {
  const auto time = QDateTime::fromString(stats["time"].toString(), Qt::ISODateWithMs);
  const auto time_ms = time.isValid() ? std::optional(time.toMSecsSinceEpoch()) : std::nullopt;
  if (time_ms) add_gap(times_.missing_before(*time_ms));
  times_.add(time_ms);
  const double interval = stats["interval_s"].toDouble();
  for (auto& flow : flows_) {
    flow.in_newest = false;
    flow.others = {};
  }
  for (auto& tile : tiles_) tile.connected = tile.receiving = tile.in_newest = false;
  take_wall(stats["wall"].toObject(), interval);
  for (const auto& entry : stats["sender"].toArray()) take_sender(entry.toObject());
  for (const auto& entry : stats["nodes"].toArray()) {
    const auto node = entry.toObject();
    const auto name = node["node"].toString();
    for (auto& tile : tiles_)
      if (tile.node == name) tile.connected = node["connected"].toBool();
    take_report(node["report"].toObject(), interval);
  }
  add_missing();
}

// What no report spoke of.
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
  wall_.playout_delay_us.reset();
  for (int i = 0; i < samples; ++i) {
    times_.add(std::nullopt);
    wall_.series.add_gap();
    add_missing();
  }
}

}  // namespace lw
