// Bounds of the playback requests, shared by server, control room and messages.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lw {

// Frames of the visualization per frame of the wall, forwards or backwards. At a hundredth, a frame is shown for
// seconds; anything less would be a pause that nobody requested.
inline constexpr double play_rate_min = 0.01, play_rate_max = 8;

constexpr bool is_play_rate(double rate) {
  const double speed = rate < 0 ? -rate : rate;
  return speed >= play_rate_min && speed <= play_rate_max;
}

// Through black: one half darkens, the other brightens.
inline constexpr std::chrono::milliseconds fade_min{200}, fade_max{20'000}, fade_usual{1000};

inline constexpr std::size_t playlist_entries_max = 1000;
inline constexpr std::uint32_t entry_loops_max = 1'000'000;
inline constexpr double entry_seconds_min = 0.1, entry_seconds_max = 7 * 24 * 3600;

}  // namespace lw
