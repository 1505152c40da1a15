// summary: what plays and how well, in a few figures, twice a second, for pages that show no details. docs/protocol.md
// describes the exchange, docs/metrics.md the figures.
#pragma once

#include "common/messages/play_state.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lw {

// The worst that holds.
enum class WallHealth : std::uint8_t {
  idle,  // nothing is playing
  healthy,
  degraded,  // the audience sees nothing of it
  faults,    // tiles show faults, or nothing
};

struct SummaryFigures {
  std::optional<double> gbit_per_s;       // sent by all flows
  std::optional<double> lost_per_s;       // packets of all flows, mean of the last ten seconds
  std::optional<double> jitter_us;        // of the worst flow
  std::optional<double> skew_us_p99;      // between tiles
  std::optional<double> lateness_us_p99;  // of the worst tile

  static constexpr bool closed = false;
  static void members(auto& figures, auto& visit) {
    visit("gbit_per_s", figures.gbit_per_s);
    visit("lost_per_s", figures.lost_per_s);
    visit("jitter_us", figures.jitter_us);
    visit("skew_us_p99", figures.skew_us_p99);
    visit("lateness_us_p99", figures.lateness_us_p99);
  }
  bool operator==(const SummaryFigures&) const = default;
};

struct SummaryMessage {
  WallHealth health = WallHealth::idle;
  unsigned tiles_faulty = 0;
  SummaryFigures figures;
  PlayStatus status = PlayStatus::stopped;
  std::uint64_t revision = 0;  // of the state: after a change, ask for `state`
  std::uint64_t library = 0;   // grows with changes of the library: ask for `list`
  // As in StateMessage:
  std::optional<std::string> name;
  std::optional<std::uint32_t> frame, frames;
  std::optional<std::string> frame_rate;

  static constexpr bool closed = false;
  static void members(auto& summary, auto& visit) {
    visit("health", summary.health, Names{"idle", "healthy", "degraded", "faults"});
    visit("tiles_faulty", summary.tiles_faulty);
    visit("figures", summary.figures);
    visit("status", summary.status, Names{"stopped", "playing", "paused"});
    visit("revision", summary.revision);
    visit("library", summary.library);
    visit("name", summary.name);
    visit("frame", summary.frame, frame_number);
    visit("frames", summary.frames, frame_number);
    visit("frame_rate", summary.frame_rate);
  }
  bool operator==(const SummaryMessage&) const = default;
};

struct SummaryRequest {
  bool on = true;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) { visit("on", request.on, MayBeAbsent{}); }
  bool operator==(const SummaryRequest&) const = default;
};

// The summary now, the figures beyond which a wall is degraded, and the number of the wall's parts.
struct SummaryReply {
  SummaryMessage summary;
  SummaryFigures limits;
  unsigned tiles = 0, flows = 0;

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("summary", reply.summary);
    visit("limits", reply.limits);
    visit("tiles", reply.tiles);
    visit("flows", reply.flows);
  }
  bool operator==(const SummaryReply&) const = default;
};

}  // namespace lw
