// Pins how many of a flood are handled: a burst, and then the rate.
#include "common/net/flood_limit.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a burst of a flood is handled, and then a fixed number each second") {
  constexpr LocalTime start{1000s};
  FloodLimit limit(1000, 10);
  const auto taken_at = [&](LocalTime now) {
    int taken = 0;
    for (int i = 0; i < 1000; ++i) taken += limit.take(now) ? 1 : 0;
    return taken;
  };
  CHECK_FALSE(limit.spent(start));
  CHECK(taken_at(start) == 10);
  CHECK(limit.spent(start));
  CHECK(taken_at(start + 5ms) == 5);
  CHECK(taken_at(start) == 0);         // a time in the past changes nothing
  CHECK(taken_at(start + 10s) == 10);  // unused allowance is not saved up
}
