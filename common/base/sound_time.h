// Sound on the wall's clock: samples are numbered from 1970 on, 48,000 a second. Number and time follow from each other
// alone, so all servers and nodes number alike.
#pragma once

#include "common/base/units.h"

#include <cstdint>

namespace lw {

inline constexpr std::int64_t sound_rate = 48'000;  // samples per second, of stores and streams
inline constexpr unsigned sound_channels_max = 8;   // as many as a packet of a millisecond has room for (AES67)

namespace sound_time_detail {
inline constexpr std::int64_t second = 1'000'000'000;
// Rounded down, also for negative numbers.
constexpr std::int64_t floor_div(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}
}  // namespace sound_time_detail

// The first sample that is not before this time.
constexpr std::int64_t sample_from(WallTime time) {
  using namespace sound_time_detail;
  const auto ns = time.time_since_epoch().count();
  const auto seconds = floor_div(ns, second);
  return seconds * sound_rate - floor_div(-(ns - seconds * second) * sound_rate, second);
}

// When a sample begins, rounded down to nanoseconds.
constexpr WallTime time_of_sample(std::int64_t sample) {
  using namespace sound_time_detail;
  const auto seconds = floor_div(sample, sound_rate);
  return WallTime{Nanoseconds{seconds * second + (sample - seconds * sound_rate) * second / sound_rate}};
}

}  // namespace lw
