#include "server/play/timeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lw {

void Timeline::begin(WallTime start, FrameRate rate, std::uint32_t frame_count, std::uint32_t frame) {
  assert(frame_count > 0);
  start_ = start;
  frame_rate_ = rate;
  tick_ = 0;
  frame_count_ = frame_count;
  seek(frame);
}

void Timeline::seek(std::uint32_t frame) {
  position_ = std::min(frame, frame_count_ - 1);
  ended_ = false;
}

void Timeline::advance() {
  ++tick_;
  if (paused_) return;
  const double next = position_ + rate_;
  const auto count = static_cast<double>(frame_count_);
  if (next >= 0 && next < count) {
    position_ = next;
  } else if (loop_) {
    position_ = std::fmod(std::fmod(next, count) + count, count);
  } else {
    position_ = next < 0 ? 0 : count - 1;
    paused_ = ended_ = true;
  }
}

}  // namespace lw
