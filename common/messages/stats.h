// stats: what the server reports to operators about all flows, tiles and nodes, ten times a second. docs/metrics.md
// defines the figures.
#pragma once

#include "common/messages/node_report.h"

namespace lw {

// A flow as its sender sees it.
struct SenderFlowReport {
  unsigned flow = 0;
  std::optional<GridCell> tile;
  std::optional<std::uint32_t> ssrc;
  std::optional<int> cpu;
  std::optional<double> gbit_per_s;  // including resends and parity
  Figures<SenderFlowStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("flow", report.flow);
    visit("tile", report.tile, Tolerated{});
    visit("ssrc", report.ssrc, Tolerated{});
    visit("cpu", report.cpu, Tolerated{});
    visit("gbit_per_s", report.gbit_per_s, Tolerated{});
    visit.figures(report.figures);
  }
  bool operator==(const SenderFlowReport&) const = default;
};

struct NodeStats {
  std::string node;
  bool connected = false;
  std::optional<double> age_s;  // of the report
  std::optional<NodeReport> report;

  static constexpr bool closed = false;
  static void members(auto& stats, auto& visit) {
    visit("node", stats.node);
    visit("connected", stats.connected, Tolerated{});
    visit("age_s", stats.age_s, Tolerated{});
    visit("report", stats.report, Tolerated{});  // an invalid one does not hide other nodes
  }
  bool operator==(const NodeStats&) const = default;
};

struct WallTileReport {
  GridCell tile;
  Figures<WallTileStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("tile", report.tile);
    visit.figures(report.figures);
  }
  bool operator==(const WallTileReport&) const = default;
};

struct WallFlowReport {
  unsigned flow = 0;
  Figures<WallFlowStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("flow", report.flow);
    visit.figures(report.figures);
  }
  bool operator==(const WallFlowReport&) const = default;
};

struct WallReport {
  std::optional<std::uint32_t> frame;  // to be shown now; absent if nothing plays
  std::vector<WallTileReport> tiles;
  std::vector<WallFlowReport> flows;
  Figures<WallStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("frame", report.frame, Tolerated{});
    visit("tiles", report.tiles, AbsentIfEmpty{});
    visit("flows", report.flows, AbsentIfEmpty{});
    visit.figures(report.figures);
  }
  bool operator==(const WallReport&) const = default;
};

// A node of a site, as this server's senders see it.
struct SiteNodeReport {
  std::string node;
  Figures<SiteStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("node", report.node);
    visit.figures(report.figures);
  }
  bool operator==(const SiteNodeReport&) const = default;
};

// The same of all nodes of a site.
struct SiteReport {
  std::string site;
  Figures<SiteStats> figures;
  std::vector<SiteNodeReport> nodes = {};  // in the order of the wall file

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("site", report.site);
    visit.figures(report.figures);
    visit("nodes", report.nodes, AbsentIfEmpty{});
  }
  bool operator==(const SiteReport&) const = default;
};

// The clock of the server, if the wall's clock is the system clock.
struct ServerClockReport {
  Figures<SystemClockState> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) { visit.figures(report.figures); }
  bool operator==(const ServerClockReport&) const = default;
};

struct Stats {
  std::optional<std::string> time;
  double interval_s = 0;  // since the previous message
  std::vector<SenderFlowReport> sender;
  std::vector<NodeStats> nodes;
  WallReport wall;
  std::optional<ServerClockReport> clock;
  std::vector<SiteReport> sites = {};  // in the order of the wall file

  static constexpr bool closed = false;
  static void members(auto& stats, auto& visit) {
    visit("time", stats.time, Tolerated{});
    visit("interval_s", stats.interval_s, Tolerated{});
    visit("sender", stats.sender, MayBeAbsent{});
    visit("nodes", stats.nodes, MayBeAbsent{});
    visit("wall", stats.wall, MayBeAbsent{});
    visit("clock", stats.clock, Tolerated{});
    visit("sites", stats.sites, AbsentIfEmpty{});
  }
  bool operator==(const Stats&) const = default;
};

// Whether all tiles showed frames while the bound of the difference between the nodes' clocks was unknown. Servers up
// to 0.1.0 reported a skew nevertheless.
inline bool skew_is_unknown(const WallReport& wall) {
  return (wall.figures["frames_in_step"].whole().value_or(0) > 0 || wall.figures["skew_us_p50"].measured()) &&
         !wall.figures["skew_error_us"].measured();
}

// Absent counts are zero.
SiteStats site_stats_of(const Figures<SiteStats>& figures);

SenderFlowReport report_of(const SenderFlowStats& now, const SenderFlowStats* before, GridCell tile, double interval_s);

}  // namespace lw
