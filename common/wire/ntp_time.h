// Times on the wire: 64-bit NTP (RFC 5905: seconds since 1900 in the upper half, fraction in the lower) and the 90 kHz
// RTP timestamp of video, which is the same instant modulo 2^32 without random offset (as in ST 2110-10), so that flows
// from different servers have equal timestamps for the same frame.
#pragma once

#include "common/base/units.h"

#include <cstdint>

namespace lw {

inline constexpr std::int64_t ntp_to_unix_seconds = 2'208'988'800;  // 1900 -> 1970
inline constexpr std::uint32_t rtp_clock_hz = 90'000;

constexpr std::uint64_t to_ntp(WallTime time) {
  const auto ns = time.time_since_epoch().count();
  const auto seconds = static_cast<std::uint64_t>(ns / 1'000'000'000 + ntp_to_unix_seconds);
  const auto rest = static_cast<std::uint64_t>(ns % 1'000'000'000);
  // Rounded up, so that from_ntp, which rounds down, returns the same nanosecond.
  return (seconds << 32U) + ((rest << 32U) + 999'999'999) / 1'000'000'000;
}

// From 1968 to 2104: the seconds wrap in 2036; a clear upper bit means a time after that (RFC 4330, section 3).
constexpr WallTime from_ntp(std::uint64_t ntp) {
  constexpr std::int64_t era = std::int64_t{1} << 32U;
  const auto in_era = static_cast<std::int64_t>(ntp >> 32U);
  const auto seconds = in_era + (in_era < era / 2 ? era : 0) - ntp_to_unix_seconds;
  const auto fraction = static_cast<std::int64_t>(((ntp & 0xffffffffU) * 1'000'000'000) >> 32U);
  return WallTime{Nanoseconds{seconds * 1'000'000'000 + fraction}};
}

constexpr std::uint32_t rtp_timestamp(WallTime time) {
  const auto ns = time.time_since_epoch().count();
  const auto seconds = ns / 1'000'000'000;
  const auto rest = ns % 1'000'000'000;
  return static_cast<std::uint32_t>(seconds * rtp_clock_hz + rest * rtp_clock_hz / 1'000'000'000);
}

}  // namespace lw
