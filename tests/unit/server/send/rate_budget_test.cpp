// Pins that a budget is kept over any time, and not saved up.
#include "server/send/rate_budget.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("no more than rate and depth allow goes out") {
  RateBudget budget(BitRate{8e6}, 10ms);  // 1000 bytes each ms, 10,000 at once
  WallTime now{1000s};
  std::size_t sent = 0;
  for (int i = 0; i < 1000; ++i, now += 100us)
    for (int tries = 0; tries < 5; ++tries) sent += budget.take(500, now) ? 500 : 0;
  CHECK(sent <= 100'000 + 10'000);
  CHECK(sent >= 100'000 + 9'000);
}

TEST_CASE("a silence saves up no more than the depth") {
  RateBudget budget(BitRate{8e6}, 10ms);
  REQUIRE(budget.take(1, WallTime{1000s}));
  std::size_t sent = 0;
  while (budget.take(1000, WallTime{2000s})) sent += 1000;
  CHECK(sent == 10'000);
}

TEST_CASE("a rate of nothing allows nothing") {
  RateBudget budget(BitRate{0}, 10ms);
  CHECK_FALSE(budget.take(1, WallTime{1000s}));
}
