#include "common/base/log_limit.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("2,000 lines a second become one a second, and all are counted") {
  LogLimit limit;
  LocalTime now{100s};
  std::uint64_t written = 0;
  std::uint64_t counted = 0;
  for (int i = 0; i < 20'000; ++i, now += 500us)
    if (const auto held = limit.take(now)) {
      ++written;
      counted += 1 + *held;
    }
  CHECK(written == 10);
  CHECK(counted + limit.held() == 20'000);
  CHECK_FALSE(limit.is_overdue(now - 500us));
  CHECK(limit.is_overdue(now + 1s));
  CHECK(limit.take(now + 1s) == 1'999U);
  CHECK(limit.held() == 0);
  CHECK_FALSE(limit.is_overdue(now + 10s));
}

TEST_CASE("the first of a burst are written, and after a pause as many again") {
  LogLimit limit(1s, 3);
  LocalTime now{100s};
  const auto written = [&](int lines) {
    int count = 0;
    for (int i = 0; i < lines; ++i) count += limit.take(now).has_value() ? 1 : 0;
    return count;
  };
  CHECK(written(10) == 3);
  now += 1s;
  CHECK(written(10) == 1);
  now += 1h;
  CHECK(written(10) == 3);
  now -= 2h;  // a clock that goes back does not silence it permanently
  CHECK(written(10) == 0);
  now += 1s;
  CHECK(written(10) == 1);
}
