// What may be asked of playing: the bounds that server, control room and messages share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lw {

// Frames of the visualization for each of the wall, forwards or backwards. A hundredth shows a frame for seconds; less
// would be a pause that nobody asked for.
inline constexpr double play_rate_min = 0.01, play_rate_max = 8;

constexpr bool is_play_rate(double rate) {
  const double speed = rate < 0 ? -rate : rate;
  return speed >= play_rate_min && speed <= play_rate_max;
}

// Through black: half of it darker, half of it brighter.
inline constexpr std::chrono::milliseconds fade_min{200}, fade_max{20'000}, fade_usual{1000};

inline constexpr std::size_t playlist_entries_max = 1000;
inline constexpr std::uint32_t entry_loops_max = 1'000'000;
inline constexpr double entry_seconds_min = 0.1, entry_seconds_max = 7 * 24 * 3600;

}  // namespace lw
