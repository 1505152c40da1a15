// How this program knows the clock that all hosts of a wall share (WallClock, common/base/units.h).
//
// As long as nobody keeps it, it is the system's clock, which PTP or chrony keep ([clock] source = "system"). One that
// is kept ([clock] source = "wall") is a line over the hardware's counter, which nobody steps or slews, and is set anew
// many times a second by one keeper: a step of the system's clock moves nothing.
#pragma once

#include "common/base/units.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace lw {

// This host's counter since it started: CLOCK_MONOTONIC_RAW.
struct RawClock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Nanoseconds;
  using time_point = std::chrono::time_point<RawClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;
};
using RawTime = RawClock::time_point;

// This host's CLOCK_REALTIME: the kernel's arrival times are on it.
using SystemTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

// Both at one instant; nothing where the thread was interrupted between them each time it tried.
struct ClockReading {
  RawTime raw{};
  SystemTime system{};

  [[nodiscard]] Nanoseconds system_less_raw() const { return system.time_since_epoch() - raw.time_since_epoch(); }
};
std::optional<ClockReading> read_clocks();

struct WallClockLine {
  RawTime at{};
  WallTime wall{};   // at that instant
  double drift = 0;  // the wall's clock runs faster than the counter by this share
  Nanoseconds system_less_raw{0};
  std::uint32_t steps = 0;  // how often it went on elsewhere than where the line before led to

  [[nodiscard]] WallTime at_raw(RawTime raw) const {
    const auto since = raw - at;
    return wall + since + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(since.count()) * drift)};
  }
};

// From now on the clock is kept, but not known before the first line: until then it is still the system's.
void expect_kept_wall_clock();
// By one thread.
void keep_wall_clock(const WallClockLine& line);
// As it is at a program's start.
void follow_system_clock();

// Any thread.
[[nodiscard]] bool wall_clock_known();
[[nodiscard]] std::uint32_t wall_clock_steps();
[[nodiscard]] WallTime to_wall(SystemTime time);
// Of a time a moment ago; nothing where the thread was interrupted each time it looked.
[[nodiscard]] std::optional<WallTime> to_wall(LocalTime time);
// Returns at once if it has passed. A step of the clock meanwhile does not change how long it sleeps.
void sleep_until(WallTime time);

}  // namespace lw
