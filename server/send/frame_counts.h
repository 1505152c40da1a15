// How many frames of each pixel format were due before a tick, since this start of the wall: whether they were sent or
// not. With the packets that a frame of each format has, they give the sequence number of a frame's first packet.
#pragma once

#include "common/pixel/pixel_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace lw {

struct FrameCounts {
  static constexpr std::size_t formats = all_pixel_formats.size();

  std::array<std::int64_t, formats> of{};

  [[nodiscard]] std::int64_t& operator[](PixelFormat format) { return of[static_cast<std::size_t>(format)]; }
  [[nodiscard]] std::int64_t operator[](PixelFormat format) const { return of[static_cast<std::size_t>(format)]; }
  // Of all formats: grows by one with each frame that is due.
  [[nodiscard]] std::int64_t total() const { return std::accumulate(of.begin(), of.end(), std::int64_t{0}); }
  FrameCounts& operator+=(const FrameCounts& more) {
    for (std::size_t i = 0; i < formats; ++i) of[i] += more.of[i];
    return *this;
  }
  friend FrameCounts operator-(FrameCounts counts, const FrameCounts& less) {
    for (std::size_t i = 0; i < formats; ++i) counts.of[i] -= less.of[i];
    return counts;
  }
  bool operator==(const FrameCounts&) const = default;
};

}  // namespace lw
