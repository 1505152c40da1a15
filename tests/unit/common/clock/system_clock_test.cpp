// The error bound of the system's clock, with and without a PTP clock.
#include "common/clock/system_clock.h"

#include "common/clock/kernel_clock.h"

#include <linux/ptp_clock.h>

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("the larger of both bounds applies") {
  CHECK_FALSE(clock_error_bound(std::nullopt, std::nullopt));
  CHECK(clock_error_bound(80us, std::nullopt) == Nanoseconds(80us));
  CHECK(clock_error_bound(std::nullopt, PhcReading{-3us, 2us}) == Nanoseconds(4us));
  CHECK(clock_error_bound(2us, PhcReading{3us, 2us}) == Nanoseconds(4us));
  CHECK(clock_error_bound(80us, PhcReading{3us, 2us}) == Nanoseconds(80us));
}

TEST_CASE("a PTP clock is read with the kernel's figures") {
  const auto ahead_of_system = [](Nanoseconds ahead) {
    return [ahead](int, unsigned long, void* data) {
      auto& answer = *static_cast<ptp_sys_offset_extended*>(data);
      for (unsigned i = 0; i < answer.n_samples; ++i) {
        answer.ts[i][0] = {1'700'000'000, 0, 0};
        answer.ts[i][2] = {1'700'000'000, 2'000, 0};
        const auto phc = 1'700'000'000s + 1us + ahead;
        answer.ts[i][1] = {phc / 1s, static_cast<__u32>((phc % 1s).count()), 0};
      }
      return 0;
    };
  };
  SystemClock near("/dev/null", ahead_of_system(5us));
  const auto state = near.read();
  CHECK(state.phc_offset == Nanoseconds(5us));
  CHECK(*state.error >= Nanoseconds(6us));
  SystemClock far("/dev/null", ahead_of_system(500s));
  CHECK_FALSE(far.read().phc_offset);
  CHECK(far.read().error.has_value() == system_clock_error().has_value());
}

TEST_CASE("without a PTP clock the kernel's figures apply") {
  for (const char* device : {"", "/nowhere/ptp0", "/dev/null"}) {
    SystemClock clock(device);
    CHECK_FALSE(clock.read().phc_offset);
    CHECK(clock.read().error.has_value() == system_clock_error().has_value());
  }
  CHECK(tai_less_utc() >= 0s);
}
