// What one thread records about one frame: the times of a step on its way from disk to screen. One record for each
// frame and flow or tile; so small and rare that records are always made.
#pragma once

#include "common/base/units.h"

#include <array>
#include <cstdint>

namespace lw {

// The steps, and which times the record of each has, in this order. docs/metrics.md (Stages) derives stages from them.
enum class FrameStep : std::uint8_t {
  read,      // of a tile: read requested, in memory
  sent,      // of a flow: in memory, first packet sent, last packet handed to the kernel
  received,  // of a flow: a packet arrived first, band complete, the packet sent first arrived (itself, no resend)
  shown,     // of a tile: frame complete, taken for upload, uploaded, swapped
};
inline constexpr std::size_t frame_step_count = 4;

enum class FrameFate : std::uint8_t {
  whole,
  repaired,    // complete, with packets that were lost and recovered
  incomplete,  // packets are missing; shown: concealed
  left_out,    // not read, not sent (completely), no room for it, or not shown
};
inline constexpr std::size_t frame_fate_count = 4;

struct FrameRecord {
  WallTime media_time{};            // the same for a frame on all hosts
  std::array<WallTime, 4> times{};  // depending on the step; WallTime{}: not measured
  std::uint32_t frame = 0;          // of the visualization
  std::uint32_t bytes = 0;          // of pixels read, sent or received
  std::uint16_t generation = 0;
  std::uint16_t tick = 0;
  std::uint16_t part = 0;    // flow, or index of the tile in the wall
  std::uint16_t stripe = 0;  // read
  FrameStep step = FrameStep::read;
  FrameFate fate = FrameFate::whole;
};
static_assert(sizeof(FrameRecord) == 64);

}  // namespace lw
