#include "server/play/sound_line.h"

#include <algorithm>
#include <cassert>

namespace lw {
namespace {

constexpr std::int64_t rate_1 = std::int64_t{1} << FramePosition::fraction_bits;

// The last tick that has begun with this sample.
std::int64_t tick_of(const Line& line, std::int64_t sample) {
  auto tick = line.tick_at(time_of_sample(sample));
  while (tick > line.first_tick() && sample_from(line.media_time(tick)) > sample) --tick;
  while (sample_from(line.media_time(tick + 1)) <= sample) ++tick;
  return tick;
}

// The sample of the store with which the frame at a position begins.
std::int64_t sample_of(FramePosition position, FrameRate rate) {
  const auto whole = position.units >> FramePosition::fraction_bits;
  const auto rest = position.units & (rate_1 - 1);
  const auto frames_s = std::int64_t{rate.numerator};
  const auto per_rate = sound_rate * rate.denominator;
  return whole / frames_s * per_rate +
         (whole % frames_s * per_rate + (rest * per_rate >> FramePosition::fraction_bits)) / frames_s;
}

}  // namespace

std::int64_t first_sample_of(const Line& line) { return sample_from(line.media_time(line.first_tick())); }

SoundPart sound_at(const Line& line, std::int64_t sample) {
  assert(sample >= first_sample_of(line));
  const auto tick = tick_of(line, sample);
  const auto count = sample_from(line.media_time(tick + 1)) - sample;
  const auto place = line.at(tick);
  if (!line.plays() || line.paused() || place.ended || place.waits || line.parts().step != rate_1) return {{}, count};
  // The first tick of this repeat.
  const auto into = (place.position.units - FramePosition::of(line.range().first).units) / rate_1;
  const auto begin = tick - std::min(into, tick - line.first_tick());
  const auto from = sample_of(line.at(begin).position, line.frame_rate());
  return {from + sample - sample_from(line.media_time(begin)), count};
}

}  // namespace lw
