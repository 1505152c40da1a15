#include "wall-control/models/wall_status.h"

#include "wall-control/models/json_number.h"

#include <QJsonArray>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr std::size_t share_samples = 10;  // one second

std::pair<int, int> place_of(const QJsonObject& json) {
  const auto tile = json["tile"].toArray();
  return {tile.at(0).toInt(-1), tile.at(1).toInt(-1)};
}

template <class Row>
auto find_place(const std::vector<std::pair<std::pair<int, int>, Row>>& rows, int column, int row) {
  return std::ranges::find(rows, std::pair{column, row}, &std::pair<std::pair<int, int>, Row>::first);
}

}  // namespace

void WallStatus::set_wall(const QJsonObject& info) {
  nodes_.clear();
  skews_us_.clear();
  for (const auto& entry : info["wall"].toObject()["nodes"].toArray()) {
    NodeRow node;
    node.name = entry.toObject()["name"].toString();
    node.address = entry.toObject()["address"].toString();
    nodes_.push_back(std::move(node));
  }
}

void WallStatus::take_report(NodeRow& node, const QJsonObject& report) {
  const auto process = report["process"].toObject();
  node.cpus = process["cpus"].toInt();
  if (const auto share = number(process["cpu_share"])) node.share_history.push_back(*share);
  if (node.share_history.size() > share_samples) node.share_history.erase(node.share_history.begin());
  node.cpu_share.reset();
  if (!node.share_history.empty())
    node.cpu_share = std::accumulate(node.share_history.begin(), node.share_history.end(), 0.0) /
                     static_cast<double>(node.share_history.size());
  const auto clock = report["clock"].toObject();
  node.clock_state = clock["state"].toString();
  node.clock_error_us = number(clock["error_us"]);
  node.phc_offset_us = number(clock["phc_offset_us"]);
  node.renderer = report["renderer"].toString();
  node.swap_group = report["swap_group"].toString();
  for (const auto& entry : report["tiles"].toArray())
    if (const auto scanout = number(entry.toObject()["scanout_us_p99"]))
      scanouts_us_.emplace_back(place_of(entry.toObject()), *scanout);
}

void WallStatus::add(const QJsonObject& stats) {
  scanouts_us_.clear();
  for (const auto& entry : stats["nodes"].toArray()) {
    const auto json = entry.toObject();
    const auto node = std::ranges::find(nodes_, json["node"].toString(), &NodeRow::name);
    if (node == nodes_.end()) continue;
    node->connected = json["connected"].toBool();
    node->age_s = number(json["age_s"]);
    if (!json.contains("report")) {
      node->cpu_share.reset();
      node->share_history.clear();
      node->clock_state.clear();
      node->phc_offset_us.reset();
      continue;
    }
    take_report(*node, json["report"].toObject());
  }
  skews_us_.clear();
  for (const auto& entry : stats["wall"].toObject()["tiles"].toArray())
    if (const auto skew = number(entry.toObject()["skew_us"]))
      skews_us_.emplace_back(place_of(entry.toObject()), *skew);
}

void WallStatus::add_gap() {
  for (auto& node : nodes_) {
    node.connected = false;
    node.age_s.reset();
    node.cpu_share.reset();
    node.share_history.clear();
    node.clock_state.clear();
    node.phc_offset_us.reset();
  }
  skews_us_.clear();
  scanouts_us_.clear();
}

void WallStatus::set_state(const QJsonObject& state) {
  stopped_ = state["status"].toString() == "stopped";
  overlays_.clear();
  for (const auto& entry : state["overlays"].toArray()) {
    const auto json = entry.toObject();
    overlays_.emplace_back(
        place_of(json), OverlayRow{json["pattern"].toString("none"), json["identify"].toBool(), json["mark"].toBool()});
  }
}

const NodeRow* WallStatus::node(const QString& name) const {
  const auto found = std::ranges::find(nodes_, name, &NodeRow::name);
  return found == nodes_.end() ? nullptr : &*found;
}

OverlayRow WallStatus::overlay(int column, int row) const {
  const auto found = find_place(overlays_, column, row);
  return found == overlays_.end() ? OverlayRow{} : found->second;
}

std::optional<double> WallStatus::skew_us(int column, int row) const {
  const auto found = find_place(skews_us_, column, row);
  return found == skews_us_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> WallStatus::scanout_us_p99(int column, int row) const {
  const auto found = find_place(scanouts_us_, column, row);
  return found == scanouts_us_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace lw
