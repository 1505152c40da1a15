// How fast a visualization may be played: frames of it for each of the wall, forwards or backwards.
#pragma once

namespace lw {

// A hundredth shows a frame for seconds; less would be a pause that nobody asked for.
inline constexpr double play_rate_min = 0.01;
inline constexpr double play_rate_max = 8;

constexpr bool is_play_rate(double rate) {
  const double speed = rate < 0 ? -rate : rate;
  return speed >= play_rate_min && speed <= play_rate_max;
}

}  // namespace lw
