// What one thread knows of one frame when it is done with it: the times of a step on the frame's way from disk to
// screen. A record for each frame and flow or tile, so small and rare that they are always made.
#pragma once

#include "common/base/units.h"

#include <array>
#include <cstdint>

namespace lw {

// Which times a record has, in their order. docs/metrics.md, Stages, makes stages of them.
enum class FrameStep : std::uint8_t {
  read,      // of a tile: read asked for, in memory
  sent,      // of a flow: in memory, first packet sent, last packet handed to the kernel
  received,  // of a flow: first packet arrived, band whole
  shown,     // of a tile: frame whole, taken for upload, uploaded, swapped
};
inline constexpr std::size_t frame_step_count = 4;

enum class FrameFate : std::uint8_t {
  whole,
  repaired,    // complete, but packets of it were lost and recovered
  incomplete,  // packets are missing; shown: concealed
  left_out,    // could not be read; not sent, or not wholly; no room for it; not shown
};
inline constexpr std::size_t frame_fate_count = 4;

struct FrameRecord {
  WallTime media_time{};            // the same for a frame on all hosts
  std::array<WallTime, 4> times{};  // as its step has them; WallTime{}: not measured
  std::uint32_t frame = 0;          // of the visualization
  std::uint32_t bytes = 0;          // of pixels that were read, sent or came
  std::uint16_t generation = 0;
  std::uint16_t tick = 0;
  std::uint16_t part = 0;    // flow, or index of the tile in the wall
  std::uint16_t stripe = 0;  // read
  FrameStep step = FrameStep::read;
  FrameFate fate = FrameFate::whole;
};
static_assert(sizeof(FrameRecord) == 64);

}  // namespace lw
