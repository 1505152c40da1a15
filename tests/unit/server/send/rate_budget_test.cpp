// Pins that a budget is kept over any time, and not saved up.
#include "server/send/rate_budget.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("rate and depth limit what is sent") {
  RateBudget budget(BitRate{8e6}, 10ms);  // 1000 bytes each ms, 10,000 at once
  LocalTime now{1000s};
  std::size_t sent = 0;
  for (int i = 0; i < 1000; ++i, now += 100us)
    for (int tries = 0; tries < 5; ++tries) sent += budget.take(500, now) ? 500 : 0;
  CHECK(sent <= 100'000 + 10'000);
  CHECK(sent >= 100'000 + 9'000);
}

TEST_CASE("a pause saves up no more than the depth") {
  RateBudget budget(BitRate{8e6}, 10ms);
  REQUIRE(budget.take(1, LocalTime{1000s}));
  std::size_t sent = 0;
  while (budget.take(1000, LocalTime{2000s})) sent += 1000;
  CHECK(sent == 10'000);
}

TEST_CASE("a rate of zero allows nothing") {
  RateBudget budget(BitRate{0}, 10ms);
  CHECK_FALSE(budget.take(1, LocalTime{1000s}));
}

TEST_CASE("however slow a stream is, one of its packets is allowed after a while") {
  for (const double bytes_per_s : {100.0, 5'000.0, 100'000.0}) {
    RateBudget budget(BitRate{bytes_per_s * 8}, 10ms, 1400);
    auto now = LocalTime{1h};
    REQUIRE_FALSE(budget.take(1401, now));
    std::size_t sent = 0;
    for (int ms = 0; ms < 60'000; ++ms, now += 1ms) sent += budget.take(1400, now) ? 1400 : 0;
    CHECK(sent > 0);
    CHECK(static_cast<double>(sent) <= 60 * bytes_per_s + 1400);
  }
}
