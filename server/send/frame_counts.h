// How many frames of each pixel format were due before a tick, since this start of the wall: whether they were sent or
// not. With the packets that a frame of each format has, they give the sequence number of a frame's first packet.
#pragma once

#include "common/pixel/pixel_format.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

struct FrameCounts {
  static constexpr std::size_t formats = static_cast<std::size_t>(PixelFormat::ycbcr422_10) + 1;

  std::array<std::int64_t, formats> of{};

  [[nodiscard]] std::int64_t& operator[](PixelFormat format) { return of[static_cast<std::size_t>(format)]; }
  [[nodiscard]] std::int64_t operator[](PixelFormat format) const { return of[static_cast<std::size_t>(format)]; }
  bool operator==(const FrameCounts&) const = default;
};

}  // namespace lw
