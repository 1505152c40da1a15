#include "common/base/sound_time.h"

#include <catch2/catch.hpp>

#include <random>

TEST_CASE("a sample's time leads back to the sample, and times between two lead to the later one") {
  std::mt19937_64 chance(11);
  for (int round = 0; round < 100'000; ++round) {
    const auto sample = static_cast<std::int64_t>(chance() % (std::uint64_t{1} << 47U)) - (std::int64_t{1} << 45U);
    const auto time = lw::time_of_sample(sample);
    // The time is rounded down by less than a nanosecond.
    CHECK(lw::sample_from(time) == sample);
    CHECK(lw::sample_from(time + lw::Nanoseconds{1}) == sample + 1);
    CHECK(lw::time_of_sample(sample + 1) - time >= lw::Nanoseconds{20'833});
    CHECK(lw::time_of_sample(sample + 1) - time <= lw::Nanoseconds{20'834});
  }
  CHECK(lw::sample_from(lw::WallTime{}) == 0);
  CHECK(lw::sample_from(lw::WallTime{std::chrono::seconds{1}}) == 48'000);
}
