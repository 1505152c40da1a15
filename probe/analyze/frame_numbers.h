// Frames of a stream, counted by their RTP timestamps. Those are integers, so that at 60000/1001 frame/s they are
// 1501 and 1502 ticks apart: the period is the slope of the timestamps over the frames' numbers, by least squares, and
// the longer the stream the more exact. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

struct FrameNumbers {
  double period_ticks = 0;
  std::vector<std::int64_t> numbers;  // from 0; lost frames also have one
};
// Of ascending timestamps. Nothing with fewer than two, and where they follow no period: more than a tenth of the steps
// is a quarter of a frame or more away from every multiple of it.
std::optional<FrameNumbers> number_frames(std::span<const std::int64_t> timestamps);

}  // namespace lw
