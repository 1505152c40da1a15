// How long a thread with many flows or tiles leaves alone what arrives, to take that of several in one turn: a wake for
// each costs more than what it does.
#pragma once

#include "common/wall/wall_file.h"

#include <cstddef>

namespace lw {

// Whether a thread with so many flows or tiles naps.
constexpr bool are_many(std::size_t count) { return count > 8; }

// A part of a frame. None where nodes wait for each other to commit frames, which each nap would delay.
inline Nanoseconds nap_of_frame(const Wall& wall, unsigned naps_per_frame) {
  if (wall.sync.mode == SyncMode::wall) return Nanoseconds{0};
  return wall.frame_rate.duration_of(1) / naps_per_frame;
}

}  // namespace lw
