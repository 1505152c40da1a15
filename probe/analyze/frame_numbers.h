// Counts the frames of a stream by their RTP timestamps. These are integers: at 60000/1001 frame/s they are 1501 or
// 1502 ticks apart. The period is the slope of the timestamps over the frames' numbers, by least squares, and becomes
// more exact the longer the stream is. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

struct FrameNumbers {
  double period_ticks = 0;
  std::vector<std::int64_t> numbers;  // from 0; lost frames are counted
};
// For ascending timestamps. Empty if there are fewer than two, or if they follow no period: more than a tenth of the
// steps differ by a quarter of a frame or more from every multiple of it.
std::optional<FrameNumbers> number_frames(std::span<const std::int64_t> timestamps);

}  // namespace lw
