// The server's figures of the whole wall, from its nodes' reports, as plain values. docs/metrics.md defines each.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

struct WallStats {
  std::optional<std::uint32_t> frame;              // of the visualization, playing now
  std::optional<Nanoseconds> playout_delay;        // from media time to presentation
  unsigned tiles_missing = 0;                      // their nodes do not report
  std::uint64_t frames_in_step = 0;                // frames that all other tiles showed
  std::optional<double> skew_us_p50, skew_us_p99;  // spread of a frame's swaps over the tiles, newest 256 frames
  std::optional<double> skew_us_max;
  std::optional<double> skew_error_us;  // bound of the error of these
};

// Of a tile as part of the wall.
struct WallTileStats {
  double skew_us = 0;
};

// Of a flow, measured by both its ends.
struct WallFlowStats {
  std::optional<double> flight_us_p50, flight_us_p99;
};

}  // namespace lw
