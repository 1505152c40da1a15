// How long a thread that receives many flows leaves packets in the sockets, to take those of several flows at once: a
// wake for each band costs more than the thread's work on it.
#pragma once

#include "common/wall/send_window.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <cstddef>

namespace lw {

// Of a node with so many flows. A small part of a frame, and of the time that packets have to arrive; none where nodes
// wait for each other to commit frames.
inline Nanoseconds receive_nap(const Wall& wall, std::size_t flows) {
  constexpr std::size_t many_flows = 8;
  constexpr int naps_per_frame = 16;
  if (flows <= many_flows || wall.sync.mode == SyncMode::wall) return Nanoseconds{0};
  return std::min<Nanoseconds>(wall.frame_rate.duration_of(1) / naps_per_frame, arrival_margin / 4);
}

}  // namespace lw
