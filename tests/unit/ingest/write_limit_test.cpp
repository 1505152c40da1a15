#include "ingest/write_limit.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace lw;

TEST_CASE("in any span of time the limits are exceeded by at most one piece") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    RateLimit limit;
    LocalTime now{std::chrono::hours{1}};
    double allowed = 0;  // by the limits so far
    double rate = 1e6 * static_cast<double>(1 + random() % 1000);
    limit.set(rate, now);
    // After each piece: what had passed before it less what was allowed by then. The law is that it never exceeds the
    // lowest value so far by more than the piece.
    double passed = 0;
    double lowest = 0;
    double largest = 0;
    const auto advance = [&](Nanoseconds by) {
      now += by;
      allowed += rate * std::chrono::duration<double>(by).count();
    };
    for (unsigned i = 0; i < 500; ++i) {
      if (random() % 50 == 0) limit.set(rate = 1e6 * static_cast<double>(1 + random() % 1000), now);
      if (random() % 4 == 0) advance(Nanoseconds{random() % 50'000'000});  // decoding
      for (auto left = limit.wait(now); left > Nanoseconds{0}; left = limit.wait(now))
        advance(std::min(left, Nanoseconds{1 + random() % 100'000'000}));
      lowest = std::min(lowest, passed - allowed);
      const auto bytes = 1 + random() % 1'048'576;
      passed += static_cast<double>(bytes);
      largest = std::max(largest, static_cast<double>(bytes));
      limit.passed(bytes, now);
      CAPTURE(seed, i);
      REQUIRE(passed - allowed <= lowest + largest + static_cast<double>(i + 1));  // half a byte for rounding, each
      advance(Nanoseconds{random() % 2'000'000});                                  // the write itself
    }
  }
}

TEST_CASE("without a limit nothing waits, and no debt remains when one is set") {
  RateLimit limit;
  const LocalTime now{std::chrono::hours{1}};
  limit.passed(1'000'000'000, now);
  CHECK(limit.wait(now) == Nanoseconds{0});
  limit.set(1000, now);
  CHECK(limit.wait(now) == Nanoseconds{0});
  limit.passed(1000, now);
  CHECK(limit.wait(now) > std::chrono::milliseconds{990});
  limit.set(std::nullopt, now);
  CHECK(limit.wait(now) == Nanoseconds{0});
}

TEST_CASE("a clock that stalls or goes back does not cause writes") {
  RateLimit limit;
  const LocalTime now{std::chrono::hours{1}};
  limit.set(1000, now);
  limit.passed(500, now);
  CHECK(limit.wait(now - std::chrono::minutes{1}) >= limit.wait(now));
  CHECK(limit.wait(now) > Nanoseconds{0});
}

TEST_CASE("a disk's speed is known after some writing, and follows changes") {
  DiskSpeed speed;
  LocalTime now{std::chrono::hours{1}};
  speed.wrote(15'000'000, std::chrono::milliseconds{15}, now);
  CHECK_FALSE(speed.bytes_per_second());
  speed.wrote(15'000'000, std::chrono::milliseconds{15}, now);
  CHECK(*speed.bytes_per_second() == Approx(1e9));
  for (int i = 0; i < 1000; ++i)
    speed.wrote(1'000'000, std::chrono::milliseconds{10}, now += std::chrono::milliseconds{10});
  CHECK(*speed.bytes_per_second() == Approx(1e8).epsilon(0.01));
}

TEST_CASE("a disk that was briefly slow is not written to slowly for long") {
  DiskSpeed speed;
  RateLimit limit;
  const Playing playing{1, 123'000'000, true};
  LocalTime now{std::chrono::hours{1}};
  const auto write_for = [&](Nanoseconds span, Nanoseconds each) {
    for (const auto end = now + span; now < end;) {
      now += limit.wait(now);
      limit.passed(1'000'000, now);
      speed.wrote(1'000'000, each, now += each);
      limit.set(gentle_rate(speed.bytes_per_second(), playing), now);
    }
  };
  write_for(std::chrono::seconds{60}, std::chrono::milliseconds{500});
  CHECK(*limit.get() < 1e6);
  write_for(std::chrono::seconds{15}, std::chrono::milliseconds{1});
  CHECK(*limit.get() > 3e8);
}

TEST_CASE("the gentle rate leaves the disk half of its time, and more near its limits") {
  CHECK(gentle_rate(1e9, {1, 100'000'000, true}) == 5e8);
  CHECK(gentle_rate(1e9, {1, 1'000'000'000, true}) == 5e8);
  CHECK(gentle_rate(1e9, {1, 2'000'000'000, true}) == Approx(2.5e8));
  CHECK(gentle_rate(1e9, {1, 50'000'000'000, true}) == Approx(1.25e8));
  CHECK(gentle_rate(1e9, {1, 0, false}) == 2.5e8);
  CHECK(gentle_rate(std::nullopt, {1, 123'000'000, true}) == 1.23e8);
  CHECK(gentle_rate(std::nullopt, {1, 0, false}) == 1e7);
}
