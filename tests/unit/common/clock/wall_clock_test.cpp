// Pins that a set clock follows its line and not the system's clock, and that the time is unknown before.
#include "common/clock/wall_clock.h"

#include "common/clock/clock_keeper.h"
#include "common/clock/kernel_clock.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

ClockReading reading() {
  for (;;)
    if (const auto now = read_clocks()) return *now;
}

}  // namespace

TEST_CASE("a clock that nobody keeps is the system's") {
  CHECK(wall_clock_known());
  const SystemTime system{1'700'000'000s};
  CHECK(to_wall(system).time_since_epoch() == system.time_since_epoch());
  CHECK(std::chrono::abs(WallClock::now().time_since_epoch() - std::chrono::system_clock::now().time_since_epoch()) <
        1s);
}

TEST_CASE("a kept clock follows its line") {
  expect_kept_wall_clock();
  CHECK_FALSE(wall_clock_known());
  const auto start = reading();
  WallClockLine line{start.raw, WallTime{1000s}, 50e-6, start.system_less_raw(), 3};
  CHECK(line.at_raw(start.raw + 20s) == WallTime{1020s + 1ms});
  keep_wall_clock(line);
  CHECK(wall_clock_known());
  CHECK(wall_clock_steps() == 3);
  const auto now = WallClock::now();
  CHECK(now >= WallTime{1000s});
  CHECK(now < WallTime{1060s});
  // An arrival time that the kernel gave, of two seconds after the start.
  CHECK(to_wall(start.system + 2s) == WallTime{1002s + 100us});
  const auto before = WallClock::now();
  sleep_until(before + 5ms);
  CHECK(WallClock::now() >= before + 5ms);
  sleep_until(before);  // passed
  follow_system_clock();
  CHECK(WallClock::now() > WallTime{1'000'000s});
}

TEST_CASE("a time of the local clock is converted to the wall's") {
  const auto start = reading();
  keep_wall_clock({start.raw, WallTime{1000s}, 0, start.system_less_raw(), 1});
  std::optional<WallTime> wall;
  LocalTime asked;
  do {
    asked = LocalClock::now();
    wall = to_wall(asked - 100ms);
  } while (!wall);
  // Read twice, since the thread may be interrupted between the two for any length of time.
  CHECK(*wall <= WallClock::now() - 100ms);
  CHECK(*wall >= WallTime{1000s} - 100ms);
  follow_system_clock();
}

TEST_CASE("a free-running clock starts with the system's time and continues by the counter") {
  const auto before = reading();
  {
    OwnClockKeeping host;
    ClockKeeper clock(host);
    CHECK_FALSE(wall_clock_known());
    clock.lead();
    CHECK(wall_clock_known());
    CHECK(wall_clock_error() == Nanoseconds{0});
    const auto expected = before.system.time_since_epoch() + (RawClock::now() - before.raw);
    CHECK(std::chrono::abs(WallClock::now().time_since_epoch() - expected) < 50ms);
    clock.step();
    CHECK(wall_clock_steps() == 1);
  }
  CHECK(wall_clock_known());
}

TEST_CASE("programs of one kernel have one boot id") {
  CHECK(boot_id().size() == 36);
  CHECK(boot_id() == boot_id());
  if (const auto error = system_clock_error()) CHECK(*error >= Nanoseconds{0});
}
