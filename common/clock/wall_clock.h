// How this program gets the clock shared by all hosts of a wall (WallClock, common/base/units.h).
//
// By default it is the system clock, synchronized by PTP or chrony ([clock] source = "system"). With [clock] source =
// "wall" it is a linear function of the hardware's counter, which nobody steps or slews. One keeper updates the
// function many times a second, so that a step of the system clock moves nothing.
#pragma once

#include "common/base/units.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace lw {

// This host's counter since boot: CLOCK_MONOTONIC_RAW.
struct RawClock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Nanoseconds;
  using time_point = std::chrono::time_point<RawClock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;
};
using RawTime = RawClock::time_point;

// This host's CLOCK_REALTIME, which the kernel uses for arrival times.
using SystemTime = std::chrono::time_point<std::chrono::system_clock, Nanoseconds>;

// Both clocks at one instant; empty if the thread was interrupted between the two reads in every attempt.
struct ClockReading {
  RawTime raw{};
  SystemTime system{};

  [[nodiscard]] Nanoseconds system_less_raw() const { return system.time_since_epoch() - raw.time_since_epoch(); }
};
std::optional<ClockReading> read_clocks();

struct WallClockLine {
  // Smaller offsets than a step are slewed, as in NTP by at most 500 ppm, which nobody can see or hear.
  static constexpr double slew_max = 500e-6;
  // Oscillators of computers are specified to within 50 to 100 parts per million.
  static constexpr double drift_max = 100e-6;

  RawTime at{};
  WallTime wall{};   // at that instant
  double drift = 0;  // by this share the wall's clock runs faster than the counter
  Nanoseconds system_less_raw{0};
  std::uint32_t steps = 0;  // how often it continued elsewhere than the previous line
  Nanoseconds error{0};     // bound of its error at that instant; 0: it is the wall's clock itself

  [[nodiscard]] WallTime at_raw(RawTime raw) const {
    const auto since = raw - at;
    return wall + since + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(since.count()) * drift)};
  }
  [[nodiscard]] Nanoseconds error_at(RawTime raw) const {
    if (error == Nanoseconds{0}) return error;
    const auto since = raw < at ? at - raw : raw - at;
    return error + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(since.count()) * (slew_max + drift_max))};
  }
};

// From now on the clock has a keeper, but is unknown before the first line: until then it equals the system clock.
void expect_kept_wall_clock();
// Sets a new line. One thread.
void keep_wall_clock(const WallClockLine& line);
// Back to the system clock, as at the start of a program.
void follow_system_clock();

// Any thread.
[[nodiscard]] bool wall_clock_known();
[[nodiscard]] std::uint32_t wall_clock_steps();
// Bound of its error, if it is kept; empty: unknown.
[[nodiscard]] std::optional<Nanoseconds> wall_clock_error();
[[nodiscard]] WallTime to_wall(SystemTime time);
// For a time just past; empty if the thread was interrupted in every attempt.
[[nodiscard]] std::optional<WallTime> to_wall(LocalTime time);
// Returns at once if the time has passed. A step of the clock does not change how long it sleeps.
void sleep_until(WallTime time);

}  // namespace lw
