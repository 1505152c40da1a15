// How long after its media time a frame is shown. If this is adapted to the network, it changes along a line
// over media time, equal on all nodes: frames follow each other a little slower or faster for a while, and none
// jumps.
#pragma once

#include "common/base/units.h"

namespace lw {

struct PlayoutRamp {
  WallTime start{};     // media time of the first frame with a different delay
  Nanoseconds from{0};  // delay of earlier frames
  Nanoseconds to{0};    // delay of frames from start + length on
  Nanoseconds length{0};

  static PlayoutRamp constant(Nanoseconds delay) { return {{}, delay, delay, Nanoseconds{0}}; }
  [[nodiscard]] WallTime end() const { return start + length; }
  [[nodiscard]] Nanoseconds at(WallTime media_time) const {
    if (media_time <= start) return from;
    if (media_time >= end()) return to;
    const double share = static_cast<double>((media_time - start).count()) / static_cast<double>(length.count());
    return from + Nanoseconds{static_cast<std::int64_t>(static_cast<double>((to - from).count()) * share)};
  }
  bool operator==(const PlayoutRamp&) const = default;
};

}  // namespace lw
