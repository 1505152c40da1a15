#include "common/clock/wall_clock.h"

#include "common/base/timespec.h"
#include "common/clock/kept_clock.h"

#include <cerrno>
#include <ctime>

namespace lw {
namespace {

// A program has one wall, hence one clock.
KeptClock own_clock;

// Reads of a clock that are further apart were interrupted.
constexpr std::chrono::microseconds between_max{3};
constexpr int attempts = 4;

Nanoseconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return from_timespec(time);
}

}  // namespace

RawTime RawClock::now() noexcept { return RawTime{read(CLOCK_MONOTONIC_RAW)}; }

WallTime WallClock::now() noexcept {
  const auto line = own_clock.line();
  return line ? line->at_raw(RawClock::now()) : WallTime{read(CLOCK_REALTIME)};
}

std::optional<ClockReading> read_clocks() {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto before = RawClock::now();
    const SystemTime system{read(CLOCK_REALTIME)};
    const auto after = RawClock::now();
    if (after - before <= between_max) return ClockReading{before + (after - before) / 2, system};
  }
  return std::nullopt;
}

void expect_kept_wall_clock() { own_clock.expect(); }

void keep_wall_clock(const WallClockLine& line) { own_clock.keep(line); }

void follow_system_clock() { own_clock.follow_system(); }

bool wall_clock_known() { return own_clock.known(); }

std::uint32_t wall_clock_steps() { return own_clock.steps(); }

std::optional<Nanoseconds> wall_clock_error() { return own_clock.error_at(RawClock::now()); }

WallTime to_wall(SystemTime time) { return own_clock.to_wall(time); }

std::optional<WallTime> to_wall(LocalTime time) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const LocalTime before{read(CLOCK_MONOTONIC)};
    const auto wall = WallClock::now();
    const LocalTime after{read(CLOCK_MONOTONIC)};
    if (after - before <= between_max) return wall - (before + (after - before) / 2 - time);
  }
  return std::nullopt;
}

void sleep_until(WallTime time) {
  // Sleeps on a clock that is never set, so that nobody sleeps for an hour because the system clock was set. The two
  // clocks do not differ noticeably over one sleep.
  const auto rest = time - WallClock::now();
  if (rest <= Nanoseconds{0}) return;
  const auto deadline = to_timespec(read(CLOCK_MONOTONIC) + rest);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
}

}  // namespace lw
