// Pins when packets leave: linear pacing spreads a frame evenly over its fraction of the interval, none does not.
#include "server/send/pacer.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("linear pacing spreads packets evenly over the fraction of the interval") {
  const Pacer pacer(Pacing::linear, 0.9, false);
  const WallTime start{1000s};
  CHECK(pacer.due(start, 40ms, 0, 100) == start);
  CHECK(pacer.due(start, 40ms, 50, 100) == start + 18ms);
  for (std::size_t packet = 1; packet < 100; ++packet) {
    const auto gap = pacer.due(start, 40ms, packet, 100) - pacer.due(start, 40ms, packet - 1, 100);
    CHECK(gap >= 360us - 1ns);
    CHECK(gap <= 360us + 1ns);
  }
  CHECK(pacer.due(start, 40ms, 99, 100) < start + 36ms);
}

TEST_CASE("what is late is caught up with gently") {
  for (const double fraction : {0.5, 0.9, 0.96, 1.0}) {
    const Pacer pacer(Pacing::linear, fraction, true);
    const auto paced = pacer.due(WallTime{}, 40ms, 4, 100) - WallTime{};
    CHECK(pacer.least_gap(40ms, 4, 100) < paced);        // it does catch up,
    CHECK(pacer.least_gap(40ms, 4, 100) > paced * 0.9);  // but not at once
    const Pacer hasty(Pacing::linear, fraction, false);
    CHECK(hasty.least_gap(40ms, 4, 100) < paced * 0.7);
    CHECK(hasty.least_gap(40ms, 4, 100) > paced * 0.5);
  }
  CHECK(Pacer(Pacing::none, 1, true).least_gap(40ms, 4, 100) == 0ns);
}

TEST_CASE("without pacing all packets are due at once") {
  const Pacer pacer(Pacing::none, 0.9, false);
  const WallTime start{1000s};
  CHECK(pacer.due(start, 40ms, 0, 100) == start);
  CHECK(pacer.due(start, 40ms, 99, 100) == start);
}
