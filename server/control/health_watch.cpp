#include "server/control/health_watch.h"

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t losses_kept = 32;  // more than `memory` at two updates a second
constexpr double report_age_max_s = 1;

template <class Stats>
std::uint64_t count(const Figures<Stats>& figures, typename Figures<Stats>::Key key) {
  return figures[key].whole().value_or(0);
}

void keep_worst(std::optional<double>& worst, const Figure& figure) {
  if (const auto value = figure.number()) worst = std::max(worst.value_or(*value), *value);
}

bool is_beyond(const std::optional<double>& value, const std::optional<double>& limit) {
  return value && limit && *value > *limit;
}

}  // namespace

HealthWatch::HealthWatch(const Wall& wall) : tiles_(wall.tile_count()), lost_(wall.flow_count()), losses_(losses_kept) {
  for (unsigned tile = 0; tile < wall.tile_count(); ++tile) places_.emplace(wall.tile({tile}).cell, tile);
}

SummaryFigures HealthWatch::limits() {
  return {.gbit_per_s = {}, .lost_per_s = 0, .jitter_us = 1000, .skew_us_p99 = 5000, .lateness_us_p99 = 10'000};
}

// How much it has grown; nothing the first time.
std::uint64_t HealthWatch::Growth::take(std::optional<std::uint64_t> total) {
  if (!total) return 0;
  const auto before = std::exchange(before_, total);
  if (!before) return 0;
  return *total >= *before ? *total - *before : *total;
}

void HealthWatch::update(const Stats& stats, PlayStatus status, LocalTime now) {
  figures_ = {};
  figures_.gbit_per_s = 0;
  for (const auto& flow : stats.sender) *figures_.gbit_per_s += flow.gbit_per_s.value_or(0);
  for (auto& tile : tiles_) tile.shows = false;
  const auto lost_before = lost_total_;
  for (const auto& node : stats.nodes)
    if (node.connected && node.report && node.age_s.value_or(0) < report_age_max_s) look_at(*node.report, now);
  look_at_losses(now);
  tiles_faulty_ = 0;
  if (status == PlayStatus::stopped) {
    for (auto& tile : tiles_) tile = {};
    beyond_since_ = degraded_ = std::nullopt;
    figures_ = {
        .gbit_per_s = figures_.gbit_per_s, .lost_per_s = {}, .jitter_us = {}, .skew_us_p99 = {}, .lateness_us_p99 = {}};
    health_ = WallHealth::idle;
    return;
  }
  figures_.skew_us_p99 = stats.wall.figures["skew_us_p99"].number();
  look_for_empty_tiles(now);
  if (lost_total_ > lost_before) degraded_ = now;
  look_at_limits(now);
  tiles_faulty_ = static_cast<unsigned>(
      std::ranges::count_if(tiles_, [&](const WatchedTile& tile) { return is_recent(tile.fault, now); }));
  health_ = is_recent(degraded_, now) ? WallHealth::degraded : WallHealth::healthy;
  if (tiles_faulty_ > 0) health_ = WallHealth::faults;
}

void HealthWatch::look_at(const NodeReport& report, LocalTime now) {
  for (const auto& flow : report.flows) {
    if (flow.flow >= lost_.size()) continue;
    lost_total_ += lost_[flow.flow].take(flow.figures["lost_settled"].whole());
    if (flow.receiving.value_or(false)) keep_worst(figures_.jitter_us, flow.figures["jitter_us"]);
  }
  for (const auto& of_tile : report.tiles) {
    const auto place = places_.find(of_tile.tile);
    if (place == places_.end()) continue;
    auto& tile = tiles_[place->second];
    const auto& figures = of_tile.figures;
    const auto faults = count(figures, "shown_concealed") + count(figures, "not_shown") + count(figures, "late");
    if (tile.faults.take(faults) > 0) tile.fault = now;
    tile.shows = figures["frame"].measured();
    keep_worst(figures_.lateness_us_p99, figures["lateness_us_p99"]);
  }
}

// A tile has no frame at first, and while its node does not report.
void HealthWatch::look_for_empty_tiles(LocalTime now) {
  for (auto& tile : tiles_) {
    if (tile.shows)
      tile.empty_since.reset();
    else if (!tile.empty_since)
      tile.empty_since = now;
    if (tile.empty_since && now - *tile.empty_since >= patience) tile.fault = now;
  }
}

void HealthWatch::look_at_losses(LocalTime now) {
  losses_.push_back({now, lost_total_});
  while (losses_.size() > 2 && now - losses_[1].at >= memory) losses_.pop_front();
  const std::chrono::duration<double> time = now - losses_.front().at;
  if (time.count() > 0) figures_.lost_per_s = static_cast<double>(lost_total_ - losses_.front().packets) / time.count();
}

// Of the figures that vary: a short excess is none.
void HealthWatch::look_at_limits(LocalTime now) {
  const auto limit = limits();
  const bool beyond = is_beyond(figures_.jitter_us, limit.jitter_us) ||
                      is_beyond(figures_.skew_us_p99, limit.skew_us_p99) ||
                      is_beyond(figures_.lateness_us_p99, limit.lateness_us_p99);
  if (!beyond) return beyond_since_.reset();
  if (!beyond_since_) beyond_since_ = now;
  if (now - *beyond_since_ >= patience) degraded_ = now;
}

}  // namespace lw
