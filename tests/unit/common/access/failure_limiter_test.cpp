// Five wrong tokens within a minute block for a minute; memory is always bounded. With a clock set by the test.
#include "common/access/failure_limiter.h"

#include <catch2/catch.hpp>

#include <string>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{std::chrono::hours(1)};

}  // namespace

TEST_CASE("after five failures within a minute a host waits a minute") {
  FailureLimiter limiter;
  for (int i = 0; i < 4; ++i) {
    limiter.failed("10.0.0.1", start + i * 1s);
    CHECK_FALSE(limiter.wait("10.0.0.1", start + i * 1s).has_value());
  }
  limiter.failed("10.0.0.1", start + 4s);
  CHECK(limiter.wait("10.0.0.1", start + 4s) == 60s);
  CHECK(limiter.wait("10.0.0.1", start + 63'500ms) == 1s);
  CHECK_FALSE(limiter.wait("10.0.0.2", start + 4s).has_value());
  CHECK_FALSE(limiter.wait("10.0.0.1", start + 64s).has_value());
  limiter.failed("10.0.0.1", start + 65s);  // counted again
  CHECK_FALSE(limiter.wait("10.0.0.1", start + 65s).has_value());
}

TEST_CASE("failures that are far apart have no consequence") {
  FailureLimiter limiter;
  for (int i = 0; i < 100; ++i) {
    limiter.failed("10.0.0.1", start + i * 16s);
    CHECK_FALSE(limiter.wait("10.0.0.1", start + i * 16s).has_value());
  }
}

TEST_CASE("an entire IPv6 network counts as one host") {
  FailureLimiter limiter;
  for (int i = 0; i < 5; ++i) limiter.failed("2001:db8::" + std::to_string(i), start);
  CHECK(limiter.wait("2001:db8::77", start).has_value());
  CHECK_FALSE(limiter.wait("2001:db8:0:1::", start).has_value());
}

TEST_CASE("a crowd takes no more memory than the table, and replaces the hosts that failed longest ago") {
  FailureLimiter limiter(10);
  for (int i = 0; i < 1000; ++i)
    limiter.failed("10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250), start + i * 1ms);
  CHECK(limiter.hosts() == 10);
  for (int i = 0; i < 5; ++i) limiter.failed("10.9.9.9", start + 2s);
  for (int i = 0; i < 9; ++i) limiter.failed("10.8.8." + std::to_string(i), start + 3s);
  CHECK(limiter.wait("10.9.9.9", start + 3s).has_value());
  limiter.failed("10.7.7.7", start + 5min);  // all others are forgotten
  CHECK(limiter.hosts() == 1);
}
