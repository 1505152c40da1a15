#include "common/clock/wall_clock.h"

#include "common/base/timespec.h"
#include "common/concurrency/snapshot.h"

#include <atomic>
#include <cerrno>
#include <ctime>

namespace lw {
namespace {

enum class Source : std::uint8_t { system, awaited, kept };

// A program has one wall, hence one clock.
std::atomic<Source> source{Source::system};
Snapshot<WallClockLine> newest_line;

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
  if (source.load(std::memory_order_acquire) != Source::kept) return WallTime{read(CLOCK_REALTIME)};
  return newest_line.read().at_raw(RawClock::now());
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

void expect_kept_wall_clock() { source.store(Source::awaited, std::memory_order_release); }

void keep_wall_clock(const WallClockLine& line) {
  newest_line.publish(line);
  source.store(Source::kept, std::memory_order_release);
}

void follow_system_clock() { source.store(Source::system, std::memory_order_release); }

bool wall_clock_known() { return source.load(std::memory_order_acquire) != Source::awaited; }

std::uint32_t wall_clock_steps() { return newest_line.read().steps; }

WallTime to_wall(SystemTime time) {
  if (source.load(std::memory_order_acquire) != Source::kept) return WallTime{time.time_since_epoch()};
  const auto line = newest_line.read();
  return line.at_raw(RawTime{time.time_since_epoch() - line.system_less_raw});
}

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
