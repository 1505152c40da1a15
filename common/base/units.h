// Units as types. Times on the shared wall clock and on this host's monotonic clock have different types, so that they
// cannot be subtracted by accident.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <numeric>
#include <ratio>

namespace lw {

using Nanoseconds = std::chrono::nanoseconds;

// The clock shared by all hosts of a wall: Unix time, nanoseconds since 1970 UTC. common/clock/wall_clock.h defines how
// this host gets it.
struct WallClock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Nanoseconds;
  using time_point = std::chrono::time_point<WallClock>;
  static constexpr bool is_steady = false;
  static time_point now() noexcept;
};
using WallTime = WallClock::time_point;

// This host's CLOCK_MONOTONIC.
using LocalClock = std::chrono::steady_clock;
using LocalTime = std::chrono::time_point<LocalClock, Nanoseconds>;

// Whether something with the period `interval`, next due at `next`, is due at `now`; works if the clock was set back.
template <class Time>
constexpr bool is_due(Time next, Time now, Nanoseconds interval) {
  return now >= next || next - now > interval;
}

// Bits per second. Decimal prefixes, as usual in networks.
struct BitRate {
  double bits_per_second = 0;

  static constexpr BitRate gbit(double value) { return {value * 1e9}; }
  [[nodiscard]] constexpr double gbit() const { return bits_per_second / 1e9; }
  constexpr auto operator<=>(const BitRate&) const = default;
  constexpr BitRate operator+(BitRate other) const { return {bits_per_second + other.bits_per_second}; }
  constexpr BitRate operator*(double factor) const { return {bits_per_second * factor}; }
};

// An exact rational, as required for frame rates: 30000/1001 is not 29.97. Always in lowest terms, both parts positive.
struct FrameRate {
  std::int32_t numerator = 30;
  std::int32_t denominator = 1;

  [[nodiscard]] constexpr double hertz() const { return static_cast<double>(numerator) / denominator; }
  // The duration of `frames` frames, rounded down; exact for any number that a visualization can have.
  [[nodiscard]] constexpr Nanoseconds duration_of(std::int64_t frames) const {
    const auto whole = frames / numerator;
    const auto rest = frames % numerator;
    return Nanoseconds{whole * denominator * 1'000'000'000LL + rest * denominator * 1'000'000'000LL / numerator};
  }
  constexpr bool operator==(const FrameRate&) const = default;
};

}  // namespace lw
