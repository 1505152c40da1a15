#include "server/play/line.h"

#include "common/base/frame_rate.h"

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

std::int64_t Line::first_tick_of_start(WallTime now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count() * frame_rate_max;
}

Line Line::nothing(std::int64_t first_tick) {
  Line line;
  line.parts_.first_tick = first_tick;
  return line;
}

Line Line::nothing(const Line& instead) {
  Line line;
  line.parts_.generation = instead.parts_.generation;
  line.parts_.first_tick = instead.parts_.first_tick;
  line.parts_.start = instead.parts_.start;
  line.parts_.frames_before = instead.parts_.frames_before;
  return line;
}

Line Line::over(std::int64_t first_tick, WallTime start, FrameRate rate, std::uint32_t frame_count,
                std::uint32_t frame) {
  assert(frame_count > 0);
  Line line;
  line.parts_.plays = true;
  line.parts_.first_tick = first_tick;
  line.parts_.start = start;
  line.parts_.frame_rate = rate;
  line.parts_.range = {0, frame_count - 1};
  line.seek(frame);
  return line;
}

FrameCounts Line::frames_before(std::int64_t tick) const {
  assert(tick >= parts_.first_tick);
  auto frames = parts_.frames_before;
  if (parts_.plays) frames[parts_.format] += tick - parts_.first_tick;
  return frames;
}

void Line::number_after(const Line& before, PixelFormat format) {
  parts_.format = format;
  parts_.frames_before = before.frames_before(parts_.first_tick);
}

double Line::rate() const { return static_cast<double>(parts_.step) / units_per_frame; }

WallTime Line::media_time(std::int64_t tick) const {
  return parts_.start + parts_.frame_rate.duration_of(parts_.ticks_before + tick - parts_.first_tick) -
         parts_.frame_rate.duration_of(parts_.ticks_before);
}

std::int64_t Line::tick_at(WallTime time) const {
  if (time <= parts_.start) return parts_.first_tick;
  const auto seconds = std::chrono::duration<double>(time - parts_.start).count();
  auto tick = parts_.first_tick + static_cast<std::int64_t>(seconds * parts_.frame_rate.hertz());
  while (tick > parts_.first_tick && media_time(tick - 1) >= time) --tick;
  while (media_time(tick) < time) ++tick;
  return tick;
}

Nanoseconds Line::played(std::int64_t tick) const {
  return parts_.played + (parts_.paused ? Nanoseconds{0} : media_time(tick) - parts_.start);
}

std::optional<std::int64_t> Line::end_before(std::int64_t until, std::optional<Nanoseconds> time) const {
  const auto is_over = [&](std::int64_t tick) { return at(tick).ended || (time && played(tick) >= *time); };
  if (!parts_.plays || parts_.paused || until <= parts_.first_tick || !is_over(until - 1)) return std::nullopt;
  auto first = parts_.first_tick;
  for (auto last = until - 1; first < last;) {
    const auto middle = first + (last - first) / 2;
    if (is_over(middle))
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

bool Line::allows(std::int64_t more_rounds) const {
  if (parts_.times) return parts_.rounds + more_rounds < *parts_.times;
  return parts_.loop || more_rounds == 0;
}

Line::Place Line::at(std::int64_t tick) const {
  assert(tick >= parts_.first_tick);
  if (parts_.paused || parts_.ended) return {parts_.position, parts_.rounds, parts_.ended, false};
  const auto first = FramePosition::of(parts_.range.first).units;
  const auto length = FramePosition::of(parts_.range.last - parts_.range.first + 1).units;
  const auto moved = parts_.position.units - first + (tick - parts_.first_tick) * parts_.step;
  const auto more_rounds = std::abs(floor_of(moved, length));
  if (!allows(more_rounds) && parts_.growing && parts_.step > 0)
    return {FramePosition::of(parts_.range.last), parts_.rounds, false, true};
  if (!allows(more_rounds))
    return {FramePosition::of(parts_.step > 0 ? parts_.range.last : parts_.range.first), parts_.rounds, true, false};
  const auto rounds = std::min<std::int64_t>(parts_.rounds + more_rounds, std::numeric_limits<std::uint32_t>::max());
  return {{first + moved - floor_of(moved, length) * length}, static_cast<std::uint32_t>(rounds), false, false};
}

Line Line::from(std::int64_t tick) const {
  Line line = *this;
  const auto place = at(tick);
  line.parts_.played = played(tick);
  line.parts_.frames_before = frames_before(tick);
  line.parts_.first_tick = tick;
  line.parts_.start = media_time(tick);
  // Media times are rounded down: they keep counting from the same tick, or the remainders would add up.
  line.parts_.ticks_before = (parts_.ticks_before + tick - parts_.first_tick) % parts_.frame_rate.numerator;
  line.parts_.position = place.position;
  line.parts_.rounds = place.rounds;
  line.parts_.ended = place.ended;
  return line;
}

void Line::seek(std::uint32_t frame) {
  parts_.position = FramePosition::of(std::clamp(frame, parts_.range.first, parts_.range.last));
  if (std::exchange(parts_.ended, false)) parts_.rounds = 0;
}

void Line::set_rate(double frames_per_tick) { parts_.step = std::llround(frames_per_tick * units_per_frame); }

void Line::set_times(std::optional<std::uint32_t> times) {
  parts_.times = times;
  parts_.rounds = 0;
}

void Line::set_range(FrameRange range) {
  assert(range.first <= range.last);
  parts_.range = range;
  if (!parts_.range.has(parts_.position.frame()))
    parts_.position = FramePosition::of(parts_.step > 0 ? parts_.range.first : parts_.range.last);
}

}  // namespace lw
