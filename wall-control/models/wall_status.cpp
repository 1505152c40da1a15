#include "wall-control/models/wall_status.h"

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr std::size_t share_samples = 10;  // one second

std::pair<int, int> place_of(GridCell tile) { return {static_cast<int>(tile.column), static_cast<int>(tile.row)}; }

QString name_of(auto value, const auto& names) {
  const auto name = names.names[static_cast<std::size_t>(value)];
  return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

template <class Row>
auto find_place(const std::vector<std::pair<std::pair<int, int>, Row>>& rows, int column, int row) {
  return std::ranges::find(rows, std::pair{column, row}, &std::pair<std::pair<int, int>, Row>::first);
}

}  // namespace

void WallStatus::set_wall(const WallInfo& wall) {
  nodes_.clear();
  forget_skew();
  for (const auto& node : wall.nodes) {
    auto& row = nodes_.emplace_back();
    row.name = QString::fromStdString(node.name);
    row.address = QString::fromStdString(node.address);
  }
}

void WallStatus::take_report(NodeRow& node, const NodeReport& report) {
  const auto process = report.process.value_or(ProcessReport{});
  node.cpus = static_cast<int>(process.figures["cpus"].whole().value_or(0));
  if (process.cpu_share) node.share_history.push_back(*process.cpu_share);
  if (node.share_history.size() > share_samples) node.share_history.erase(node.share_history.begin());
  node.cpu_share.reset();
  if (!node.share_history.empty())
    node.cpu_share = std::accumulate(node.share_history.begin(), node.share_history.end(), 0.0) /
                     static_cast<double>(node.share_history.size());
  node.clock_state = report.clock ? name_of(report.clock->state, clock_state_names) : QString();
  const auto clock = report.clock ? report.clock->figures : Figures<ClockStats>();
  node.clock_error_us = clock["error_us"].number();
  node.clock_offset_us = clock["offset_us"].number();
  node.phc_offset_us = clock["phc_offset_us"].number();
  node.renderer = QString::fromStdString(report.renderer.value_or(""));
  node.swap_group = QString::fromStdString(report.swap_group.value_or(""));
  const auto sound = report.sound.value_or(SoundReport{}).figures;
  node.plays_sound = report.sound.has_value();
  node.sound_peak_db = sound["peak_dbfs"].number();
  node.sound_lost = sound["lost"].number();
  node.sound_difference_us = sound["device_difference_us"].number();
  for (const auto& tile : report.tiles)
    if (const auto scanout = tile.figures["scanout_us_p99"].number())
      scanouts_us_.emplace_back(place_of(tile.tile), *scanout);
}

void WallStatus::add(const Stats& stats) {
  scanouts_us_.clear();
  for (const auto& entry : stats.nodes) {
    const auto node = std::ranges::find(nodes_, QString::fromStdString(entry.node), &NodeRow::name);
    if (node == nodes_.end()) continue;
    node->connected = entry.connected;
    node->age_s = entry.age_s;
    if (entry.report) {
      take_report(*node, *entry.report);
      continue;
    }
    node->cpu_share.reset();
    node->share_history.clear();
    node->clock_state.clear();
    node->phc_offset_us.reset();
  }
  forget_skew();
  skew_unknown_ = lw::skew_is_unknown(stats.wall);
  if (skew_unknown_) return;
  skew_error_us_ = stats.wall.figures["skew_error_us"].number();
  for (const auto& tile : stats.wall.tiles)
    if (const auto skew = tile.figures["skew_us"].number()) skews_us_.emplace_back(place_of(tile.tile), *skew);
}

void WallStatus::forget_skew() {
  skews_us_.clear();
  skew_error_us_.reset();
  skew_unknown_ = false;
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
  forget_skew();
  scanouts_us_.clear();
}

void WallStatus::set_state(const StateMessage& state) {
  stopped_ = state.status == PlayStatus::stopped;
  overlays_.clear();
  for (const auto& [tile, pattern, identify, mark] : state.overlays)
    overlays_.emplace_back(place_of(tile), OverlayRow{name_of(pattern, pattern_names), identify, mark});
}

const NodeRow* WallStatus::node(const QString& name) const {
  const auto found = std::ranges::find(nodes_, name, &NodeRow::name);
  return found == nodes_.end() ? nullptr : &*found;
}

std::optional<double> WallStatus::sound_peak_db() const {
  std::optional<double> loudest;
  for (const auto& node : nodes_)
    if (node.connected && node.sound_peak_db)
      loudest = std::max(loudest.value_or(*node.sound_peak_db), *node.sound_peak_db);
  return loudest;
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
