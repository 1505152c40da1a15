#include "server/play/line.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {
namespace {

constexpr double units_per_frame = std::int64_t{1} << FramePosition::fraction_bits;

// Rounded down, also for negative numbers; `divisor` > 0.
constexpr std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

}  // namespace

Line Line::nothing(const Line& instead) {
  Line line;
  line.generation_ = instead.generation_;
  line.first_tick_ = instead.first_tick_;
  line.start_ = instead.start_;
  return line;
}

Line Line::over(std::int64_t first_tick, WallTime start, FrameRate rate, std::uint32_t frame_count,
                std::uint32_t frame) {
  assert(frame_count > 0);
  Line line;
  line.plays_ = true;
  line.first_tick_ = first_tick;
  line.start_ = start;
  line.frame_rate_ = rate;
  line.range_ = {0, frame_count - 1};
  line.seek(frame);
  return line;
}

double Line::rate() const { return static_cast<double>(step_) / units_per_frame; }

WallTime Line::media_time(std::int64_t tick) const {
  return start_ + frame_rate_.duration_of(frame_rate_ticks_ + tick - first_tick_) -
         frame_rate_.duration_of(frame_rate_ticks_);
}

std::int64_t Line::tick_at(WallTime time) const {
  if (time <= start_) return first_tick_;
  const auto seconds = std::chrono::duration<double>(time - start_).count();
  auto tick = first_tick_ + static_cast<std::int64_t>(seconds * frame_rate_.hertz());
  while (tick > first_tick_ && media_time(tick - 1) >= time) --tick;
  while (media_time(tick) < time) ++tick;
  return tick;
}

bool Line::allows(std::int64_t more_rounds) const {
  if (times_) return rounds_ + more_rounds < *times_;
  return loop_ || more_rounds == 0;
}

Line::Place Line::at(std::int64_t tick) const {
  assert(tick >= first_tick_);
  if (paused_ || ended_) return {position_, rounds_, ended_};
  const auto first = FramePosition::of(range_.first).units;
  const auto length = FramePosition::of(range_.last - range_.first + 1).units;
  const auto moved = position_.units - first + (tick - first_tick_) * step_;
  const auto more_rounds = std::abs(floor_of(moved, length));
  if (!allows(more_rounds)) return {FramePosition::of(step_ > 0 ? range_.last : range_.first), rounds_, true};
  const auto rounds = std::min<std::int64_t>(rounds_ + more_rounds, std::numeric_limits<std::uint32_t>::max());
  return {{first + moved - floor_of(moved, length) * length}, static_cast<std::uint32_t>(rounds), false};
}

Line Line::from(std::int64_t tick) const {
  Line line = *this;
  const auto place = at(tick);
  line.first_tick_ = tick;
  line.start_ = media_time(tick);
  // Media times are rounded down: they go on counting from the same tick, or the remainders would add up.
  line.frame_rate_ticks_ = (frame_rate_ticks_ + tick - first_tick_) % frame_rate_.numerator;
  line.position_ = place.position;
  line.rounds_ = place.rounds;
  line.ended_ = place.ended;
  return line;
}

void Line::seek(std::uint32_t frame) {
  position_ = FramePosition::of(std::clamp(frame, range_.first, range_.last));
  if (std::exchange(ended_, false)) rounds_ = 0;
}

void Line::set_rate(double frames_per_tick) { step_ = std::llround(frames_per_tick * units_per_frame); }

void Line::set_times(std::optional<std::uint32_t> times) {
  times_ = times;
  rounds_ = 0;
}

void Line::set_range(FrameRange range) {
  assert(range.first <= range.last);
  range_ = range;
  if (!range_.has(position_.frame())) position_ = FramePosition::of(step_ > 0 ? range_.first : range_.last);
}

}  // namespace lw
