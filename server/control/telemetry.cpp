#include "server/control/telemetry.h"

#include "common/messages/iso_time.h"
#include "common/metrics/registry.h"
#include "common/wall/geometry.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace lw {
namespace {

// Whether it is one of `own`, for the first time.
template <class Own, class Key>
bool take_once(const std::vector<Own>& own, const Key& key, auto part, std::vector<bool>& taken) {
  const auto found = std::ranges::lower_bound(own, key, {}, part);
  if (found == own.end() || std::invoke(part, *found) != key) return false;
  const auto place = static_cast<std::size_t>(found - own.begin());
  if (taken[place]) return false;
  taken[place] = true;
  return true;
}

// Bounds the difference between the node's clock and ours. With `[clock] source = "system"` the node reports the error
// of its own system clock only, and ours adds its own. Drops delays between clocks whose error is unknown.
void bound_clock_error(NodeReport& report, bool same_host, std::optional<Nanoseconds> ours) {
  if (report.clock) {
    auto& error_us = report.clock->figures["error_us"];
    if (report.clock->state == ClockState::system) {
      const auto theirs = error_us.number();
      error_us = {};
      if (same_host)
        error_us = 0.0;
      else if (theirs && ours)
        error_us = *theirs + static_cast<double>(ours->count()) / 1000;
    }
    if (error_us.measured()) return;
  }
  for (auto& flow : report.flows) flow.figures.drop_what_needs_clock_bound();
}

}  // namespace

Telemetry::NodeParts Telemetry::parts_of(const Wall& wall, const WallNode& node) {
  NodeParts parts;
  for (const auto& placement : node.tiles) {
    parts.tiles.emplace_back(wall.tile(placement.tile).cell, placement.tile);
    for (const auto& band : bands_of(wall, placement.tile)) parts.flows.push_back(band.flow);
  }
  std::ranges::sort(parts.flows);
  std::ranges::sort(parts.tiles);
  return parts;
}

// The first entry of each flow and tile that belongs to the node. Figures of others would be reported twice.
void Telemetry::keep_its_own(NodeReport& report, const NodeParts& parts) {
  std::vector<bool> flows(parts.flows.size()), tiles(parts.tiles.size());
  std::erase_if(report.flows, [&](const ReceiverFlowReport& flow) {
    return !take_once(parts.flows, flow.flow, std::identity{}, flows);
  });
  std::erase_if(report.tiles, [&](const TileReport& tile) {
    return !take_once(parts.tiles, tile.tile, &std::pair<GridCell, TileIndex>::first, tiles);
  });
}

Telemetry::Telemetry(const Wall& wall, Session& session, const NodeRegistry& nodes, EventLog& events)
    : wall_(wall),
      session_(session),
      nodes_(nodes),
      events_(events),
      flights_(wall.flow_count()),
      skew_(wall.tile_count()),
      site_watch_(wall),
      system_clock_(wall.phc) {
  for (const auto& node : wall.nodes) parts_.emplace(node.name, parts_of(wall, node));
  for (const auto& band : all_bands(wall)) {
    const auto& tile = wall.tile(band.tile);
    const WatchedFlow flow{band.flow, band.tile, tile.cell, tile.by_name ? tile.name : std::string()};
    losses_.emplace_back(flow);
    two_paths_.emplace_back(flow);
  }
}

const std::string& Telemetry::node_of_flow(unsigned flow) const { return nodes_.name_of(wall_.tile_of_flow(flow)); }

void Telemetry::collect(const Moment& now, std::optional<std::vector<SenderFlowReport>> others,
                        const OthersSites& others_sites) {
  const auto seconds_since = [&](LocalTime time) { return std::chrono::duration<double>(now.local - time).count(); };
  auto stats = std::make_shared<Stats>();
  stats->time = to_iso8601(now.wall);
  stats->interval_s = collected_ ? seconds_since(*collected_) : 0;
  stats->sender = others || !stats_ ? sender_reports(now.local) : stats_->sender;
  if (others) {
    std::ranges::move(*others, std::back_inserter(stats->sender));
    std::ranges::sort(stats->sender, {}, &SenderFlowReport::flow);
  }
  for (const auto& [name, node] : nodes_.all()) {
    std::optional<double> age_s;
    if (node.report) age_s = seconds_since(node.reported);
    stats->nodes.push_back({name, node.peer != nullptr, age_s, node.report});
  }
  stats->wall = wall_report();
  if (wall_.clock == ClockSource::system) stats->clock = {Figures(system_clock_.read())};
  stats->sites = site_reports(others_sites, now);
  stats_ = std::move(stats);
  collected_ = now.local;
}

std::vector<SenderFlowReport> Telemetry::sender_reports(LocalTime now) {
  const auto interval_s = sender_read_ ? std::chrono::duration<double>(now - *sender_read_).count() : 0;
  auto sender = session_.sender_stats();
  std::vector<SenderFlowReport> reports;
  reports.reserve(sender.size());
  for (std::size_t i = 0; i < sender.size(); ++i) {
    const auto tile = wall_.tile(wall_.tile_of_flow(sender[i].flow)).cell;
    const auto* before = i < sender_before_.size() ? &sender_before_[i] : nullptr;
    reports.push_back(report_of(sender[i], before, tile, interval_s));
  }
  sender_before_ = std::move(sender);
  sender_read_ = now;
  return reports;
}

std::vector<SiteReport> Telemetry::site_reports(const OthersSites& others, const Moment& now) {
  auto sites = session_.site_stats();
  for (const auto& report : others.reports) {
    const auto site = std::ranges::find(wall_.sites, report.site, &WallSite::name);
    if (site == wall_.sites.end()) continue;
    for (const auto& of_node : report.nodes)
      if (const auto node = std::ranges::find(site->nodes, of_node.node, &WallNode::name); node != site->nodes.end())
        sites[static_cast<std::size_t>(site - wall_.sites.begin())]
             [static_cast<std::size_t>(node - site->nodes.begin())] += site_stats_of(of_node.figures);
  }
  // Nobody is silent because the server that hears it is not heard here.
  const bool sends = session_.state().status != PlayStatus::stopped && others.complete;
  for (const auto& event : site_watch_.update(sites, sends, now.local)) events_.add(event, now);
  std::vector<SiteReport> reports;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    auto& report = reports.emplace_back();
    report.site = wall_.sites[i].name;
    SiteStats all;
    for (std::size_t node = 0; node < sites[i].size(); ++node) {
      all += sites[i][node];
      report.nodes.push_back({wall_.sites[i].nodes[node].name, Figures(sites[i][node])});
    }
    report.figures = Figures(all);
  }
  return reports;
}

WallReport Telemetry::wall_report() const {
  const auto playing = session_.state();
  WallStats stats;
  if (playing.status != PlayStatus::stopped) stats.frame = playing.frame;
  stats.playout_delay = playing.playout_delay;
  stats.tiles_missing = tiles_missing_;
  stats.frames_in_step = skew_.frames();
  stats.skew_us_p50 = skew_.skew_us().quantile(0.5);
  stats.skew_us_p99 = skew_.skew_us().quantile(0.99);
  stats.skew_us_max = skew_.skew_us().max();
  stats.skew_error_us = skew_.error_us();
  WallReport report{stats.frame, {}, flights(), Figures(stats)};
  for (unsigned tile = 0; tile < skew_.by_tile_us().size(); ++tile)
    if (const auto skew_us = skew_.by_tile_us()[tile])
      report.tiles.push_back({wall_.tile({tile}).cell, Figures(WallTileStats{*skew_us})});
  return report;
}

// Only for flows whose two hosts have comparable clocks.
std::vector<WallFlowReport> Telemetry::flights() const {
  std::vector<WallFlowReport> flows;
  for (unsigned flow = 0; flow < flights_.size(); ++flow) {
    const auto& flight = flights_[flow].flight_us();
    if (flight.empty() || !nodes_.of(wall_.tile_of_flow(flow)).clock_error_us()) continue;
    flows.push_back({flow, Figures(WallFlowStats{flight.quantile(0.5), flight.quantile(0.99)})});
  }
  return flows;
}

ServerHistograms Telemetry::histograms() const {
  ServerHistograms all;
  const auto senders = session_.sender_histograms();
  for (const auto& [flow, histograms] : senders)
    add_readings(all.senders[wall_.tile_of_flow(flow).value], read_histograms(*histograms));
  for (unsigned flow = 0; flow < flights_.size(); ++flow) {
    const auto tile = wall_.tile_of_flow(flow);
    if (nodes_.of(tile).clock_error_us())
      add_readings(all.flights[tile.value], read_histograms(flights_[flow].histograms()));
  }
  all.wall = read_histograms(skew_.histograms());
  return all;
}

void Telemetry::look_who_reports() {
  std::vector<bool> reports(wall_.tile_count());
  for (unsigned tile = 0; tile < reports.size(); ++tile) reports[tile] = nodes_.of({tile}).reports();
  skew_.expect(reports);
  tiles_missing_ = static_cast<unsigned>(std::ranges::count(reports, false));
}

void Telemetry::restart(const std::string& node) {
  for (unsigned flow = 0; flow < flights_.size(); ++flow)
    if (node_of_flow(flow) == node) {
      flights_[flow].clear();
      losses_[flow].restart();
    }
}

void Telemetry::take(NodeReport report, const std::string& name, NodeState& node, const Moment& now) {
  const auto& parts = parts_.find(name)->second;
  keep_its_own(report, parts);
  report.node = name;
  bound_clock_error(report, node.same_host, system_clock_.read().error);
  look_for_losses(report, name, now);
  node.report = std::move(report);
  node.reported = now.local;
  look_for_skew(*node.report, parts);
}

void Telemetry::look_for_losses(const NodeReport& report, const std::string& node, const Moment& now) {
  for (const auto& flow : report.flows) {
    const auto count = [&](Figures<ReceiverFlowStats>::Key key) { return flow.figures[key].whole().value_or(0); };
    if (const auto event = losses_[flow.flow].update(count("lost"), count("repaired") + count("rebuilt"), now.local))
      events_.add(*event, now, node);
    if (!flow.figures["second_path"].measured()) continue;
    const auto second = count("second_path");
    const auto all = std::max(second, count("packets"));
    if (const auto event = two_paths_[flow.flow].update({all - second, second}, now.local))
      events_.add(*event, now, node);
  }
}

// Bounds the difference between the clocks of any two nodes: each differs from ours by its error at most. Empty if a
// node has no bound.
std::optional<double> Telemetry::clocks_apart_us() const {
  if (wall_.nodes.size() == 1) return 0;  // one clock
  double largest = 0, second = 0;
  for (const auto& [name, node] : nodes_.all()) {
    if (!node.reports()) continue;
    const auto error = node.clock_error_us();
    if (!error) return {};
    second = std::max(second, std::min(largest, *error));
    largest = std::max(largest, *error);
  }
  return largest + second;
}

void Telemetry::look_for_skew(const NodeReport& report, const NodeParts& parts) {
  const auto clocks_us = clocks_apart_us();
  for (const auto& of_tile : report.tiles) {
    if (!of_tile.presented) continue;
    const auto tile = std::ranges::lower_bound(parts.tiles, of_tile.tile, {}, &std::pair<GridCell, TileIndex>::first);
    for (const auto& frame : *of_tile.presented) skew_.add(tile->second, frame.pts_us, frame.lateness_us, clocks_us);
  }
}

void Telemetry::take_records() {
  session_.take_records([this](const FrameRecord& record) {
    history_.add(record);
    if (record.step == FrameStep::sent) flights_[record.part].sent(record);
  });
}

void Telemetry::take(std::span<const FrameRecord> records, const std::string& node) {
  take_records();  // sent before these were received
  for (const auto& record : records) {
    const bool shown = record.step == FrameStep::shown && nodes_.name_of({record.part}) == node;
    const bool received = record.step == FrameStep::received && node_of_flow(record.part) == node;
    if (!shown && !received) continue;
    history_.add(record);
    if (received) flights_[record.part].received(record);
  }
}

}  // namespace lw
