#include "wall-control/models/flow_history.h"

#include <QJsonArray>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr std::size_t trouble_samples = 20;  // two seconds
constexpr std::size_t fps_samples = 10;      // one second

std::optional<double> number(const QJsonObject& json, const char* key) {
  const auto value = json[key];
  return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

qint64 count(const QJsonObject& json, const char* key) { return json[key].toInteger(); }

}  // namespace

void FlowHistory::set_wall(const QJsonObject& info) {
  const auto wall = info["wall"].toObject();
  const auto same = flows_.size() == static_cast<std::size_t>(wall["flows"].toArray().size());
  if (same && !flows_.empty()) return;  // reconnected to the same wall: the history goes on
  flows_.clear();
  tiles_.clear();
  wall_ = {};
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

const TileRow* FlowHistory::tile(int column, int row) const {
  const auto found =
      std::ranges::find_if(tiles_, [&](const TileRow& tile) { return tile.column == column && tile.row == row; });
  return found == tiles_.end() ? nullptr : &*found;
}

std::vector<SeriesLine> FlowHistory::lines(Quantity quantity) const {
  std::vector<SeriesLine> lines;
  switch (info(quantity).scope) {
    case Scope::flow:
      for (const auto& flow : flows_) lines.push_back({flow.flow, &flow.series.of(quantity)});
      break;
    case Scope::tile:
      for (const auto& tile : tiles_) lines.push_back({static_cast<int>(lines.size()), &tile.series.of(quantity)});
      break;
    case Scope::wall:
      lines.push_back({0, &wall_.series.of(quantity)});
      break;
  }
  return lines;
}

void FlowHistory::take_flow(FlowRow& row, const QJsonObject& json, double interval) {
  row.reported = true;
  row.receiving = json["receiving"].toBool();
  row.gbit_per_s = number(json, "gbit_per_s");
  row.jitter_us = number(json, "jitter_us");
  row.delay_us_p99 = number(json, "delay_us_p99");
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
  row.series.add(figures, interval);
}

void FlowHistory::take_tile(TileRow& row, const QJsonObject& json, double interval) {
  row.series.add(json, interval);
  row.frame = json["frame"].isDouble() ? std::optional(json["frame"].toInt()) : std::nullopt;
  if (const auto fps = number(json, "fps")) row.fps_history.push_back(*fps);
  if (row.fps_history.size() > fps_samples) row.fps_history.erase(row.fps_history.begin());
  row.fps.reset();
  if (!row.fps_history.empty())
    row.fps = std::accumulate(row.fps_history.begin(), row.fps_history.end(), 0.0) /
              static_cast<double>(row.fps_history.size());
  row.lateness_us_p99 = number(json, "lateness_us_p99");
  row.frames_due = count(json, "frames_due");
  row.shown_whole = count(json, "shown_whole");
  row.shown_concealed = count(json, "shown_concealed");
  row.not_shown = count(json, "not_shown");
  row.late = count(json, "late");
  row.trouble_history.push_back(row.shown_concealed + row.not_shown + row.late);
  if (row.trouble_history.size() > trouble_samples) row.trouble_history.erase(row.trouble_history.begin());
  row.troubles = std::max<qint64>(0, row.trouble_history.back() - row.trouble_history.front());
}

void FlowHistory::add(const QJsonObject& stats) {
  const auto wall = stats["wall"].toObject();
  wall_.skew_us_p50 = number(wall, "skew_us_p50");
  wall_.skew_us_p99 = number(wall, "skew_us_p99");
  wall_.playout_delay_us = number(wall, "playout_delay_us");
  wall_.series.add(wall, stats["interval_s"].toDouble());
  for (const auto& entry : stats["sender"].toArray()) {
    const auto json = entry.toObject();
    for (auto& row : flows_) {
      if (row.flow != json["flow"].toInt(-1)) continue;
      row.sender_cpu = json["cpu"].toInt(-1);
      row.sent = count(json, "packets");
      row.rtt_us = number(json, "rtt_us");
    }
  }
  std::vector<bool> seen(flows_.size());
  std::vector<bool> tile_seen(tiles_.size());
  for (auto& tile : tiles_) tile.connected = tile.receiving = false;
  for (const auto& entry : stats["nodes"].toArray()) {
    const auto node = entry.toObject();
    for (auto& tile : tiles_)
      if (tile.node == node["node"].toString()) tile.connected = node["connected"].toBool();
    const auto report = node["report"].toObject();
    for (const auto& flow : report["flows"].toArray()) {
      const auto json = flow.toObject();
      for (std::size_t i = 0; i < flows_.size(); ++i) {
        if (flows_[i].flow != json["flow"].toInt(-1)) continue;
        seen[i] = true;
        take_flow(flows_[i], json, stats["interval_s"].toDouble());
        for (auto& tile : tiles_)
          if (tile.column == flows_[i].column && tile.row == flows_[i].row)
            tile.receiving = tile.receiving || flows_[i].receiving;
      }
    }
    for (const auto& shown : report["tiles"].toArray()) {
      const auto json = shown.toObject();
      for (std::size_t i = 0; i < tiles_.size(); ++i) {
        if (tiles_[i].column != json["tile"].toArray().at(0).toInt(-1) ||
            tiles_[i].row != json["tile"].toArray().at(1).toInt(-1))
          continue;
        tile_seen[i] = true;
        take_tile(tiles_[i], json, stats["interval_s"].toDouble());
      }
    }
  }
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (seen[i]) continue;
    flows_[i].reported = flows_[i].receiving = false;
    flows_[i].series.add_gap();
  }
  for (std::size_t i = 0; i < tiles_.size(); ++i)
    if (!tile_seen[i]) tiles_[i].series.add_gap();
}

void FlowHistory::add_gap() {
  for (auto& tile : tiles_) {
    tile.connected = tile.receiving = false;
    tile.series.add_gap();
  }
  wall_.skew_us_p50.reset();
  wall_.skew_us_p99.reset();
  wall_.playout_delay_us.reset();
  wall_.series.add_gap();
  for (auto& flow : flows_) {
    flow.reported = flow.receiving = false;
    flow.series.add_gap();
  }
}

}  // namespace lw
