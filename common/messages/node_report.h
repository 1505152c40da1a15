// node.report: what a node reports to the server about its flows, tiles and clock, ten times a second. Operators get it
// as a part of `stats`. A figure that was not measured is absent.
#pragma once

#include "common/messages/message.h"
#include "common/metrics/figures.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lw {

inline constexpr std::size_t report_entries_max = 4096;  // flows, tiles
inline constexpr std::size_t report_swaps_max = 256;     // for one tile
inline constexpr Text report_text_max{256};

// A flow as its receiver sees it. Rates here and below are over the interval since the previous report.
struct ReceiverFlowReport {
  unsigned flow = 0;
  std::optional<bool> receiving;  // a packet arrived within the last second
  std::optional<std::uint32_t> ssrc;
  std::optional<int> cpu;
  std::optional<double> gbit_per_s;
  Figures<ReceiverFlowStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("flow", report.flow);
    visit("receiving", report.receiving, Tolerated{});
    visit("ssrc", report.ssrc, Tolerated{});
    visit("cpu", report.cpu, Tolerated{});
    visit("gbit_per_s", report.gbit_per_s, Tolerated{});
    visit.figures(report.figures);
  }
  bool operator==(const ReceiverFlowReport&) const = default;
};

// When a tile showed a frame: [presentation time in us since 1970, lateness in us].
struct PresentedFrame {
  std::int64_t pts_us = 0;
  double lateness_us = 0;

  [[nodiscard]] std::pair<std::int64_t, double> to_list() const { return {pts_us, lateness_us}; }
  void from_list(std::int64_t pts, double lateness) {
    pts_us = pts;
    lateness_us = lateness;
  }
  bool operator==(const PresentedFrame&) const = default;
};

struct TileReport {
  GridCell tile;
  std::optional<double> fps;  // swaps with a new frame
  std::optional<std::string> pattern;
  std::optional<std::vector<PresentedFrame>> presented;  // since the previous report
  Figures<TileStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("tile", report.tile);
    visit("fps", report.fps, Tolerated{});
    visit("pattern", report.pattern, Tolerated{}, report_text_max);
    visit("presented", report.presented, Tolerated{}, AtMost{report_swaps_max});
    visit.figures(report.figures);
  }
  bool operator==(const TileReport&) const = default;
};

inline constexpr Names clock_state_names{"system", "waiting", "kept", "holdover"};  // of ClockState

struct ClockReport {
  ClockState state = ClockState::waiting;
  Figures<ClockStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("state", report.state, clock_state_names);
    visit.figures(report.figures);
  }
  bool operator==(const ClockReport&) const = default;
};

struct ProcessReport {
  std::optional<double> cpu_share;  // of its CPUs, 0 to 1
  Figures<ProcessStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("cpu_share", report.cpu_share, Tolerated{});
    visit.figures(report.figures);
  }
  bool operator==(const ProcessReport&) const = default;
};

struct SoundReport {
  Figures<SoundNodeStats> figures;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) { visit.figures(report.figures); }
  bool operator==(const SoundReport&) const = default;
};

struct NodeReport {
  std::optional<std::string> node, time;  // the server uses its own knowledge of these
  std::optional<double> interval_s;
  std::optional<std::string> renderer;    // of its OpenGL context; absent if headless
  std::optional<std::string> swap_group;  // whether it was joined; absent if the wall file names none
  std::optional<ClockReport> clock;
  std::optional<ProcessReport> process;
  std::optional<SoundReport> sound;  // absent if the node plays none
  std::vector<ReceiverFlowReport> flows;
  std::vector<TileReport> tiles;

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("node", report.node, Tolerated{}, report_text_max);
    visit("time", report.time, Tolerated{}, report_text_max);
    visit("interval_s", report.interval_s, Tolerated{});
    visit("renderer", report.renderer, Tolerated{}, report_text_max);
    visit("swap_group", report.swap_group, Tolerated{}, report_text_max);
    visit("clock", report.clock);
    visit("process", report.process, Tolerated{});
    visit("sound", report.sound, Tolerated{});
    visit("flows", report.flows, AtMost{report_entries_max});
    visit("tiles", report.tiles, AtMost{report_entries_max});
  }
  bool operator==(const NodeReport&) const = default;
};

// Totals, and rates since `before`; rates are absent if there is no previous report or no time has passed. `figures`:
// only these rows of the table; empty: all.
ReceiverFlowReport report_of(const ReceiverFlowStats& now, const ReceiverFlowStats* before, double interval_s,
                             std::span<const std::size_t> figures = {});
TileReport report_of(const TileStats& now, const TileStats* before, GridCell tile, double interval_s,
                     std::span<const std::size_t> figures = {});
ClockReport report_of(const ClockStats& now);
ProcessReport report_of(const ProcessStats& now, const ProcessStats* before, double interval_s);
std::vector<PresentedFrame> report_of(const std::vector<SwapTime>& swaps);

}  // namespace lw
