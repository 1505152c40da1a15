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
  range_ = {0, frame_count - 1};
  seek(frame);
}

void Timeline::seek(std::uint32_t frame) {
  position_ = std::clamp(frame, range_.first, range_.last);
  ended_ = false;
}

void Timeline::set_range(FrameRange range) {
  assert(range.first <= range.last);
  range_ = range;
  if (!range_.has(frame())) position_ = rate_ > 0 ? range_.first : range_.last;
}

void Timeline::advance() {
  ++tick_;
  if (paused_) return;
  const double next = position_ + rate_;
  const double first = range_.first;
  const double count = range_.last - first + 1;
  if (next >= first && next < first + count) {
    position_ = next;
  } else if (loop_) {
    position_ = first + std::fmod(std::fmod(next - first, count) + count, count);
  } else {
    position_ = next < first ? range_.first : range_.last;
    paused_ = ended_ = true;
  }
}

}  // namespace lw
