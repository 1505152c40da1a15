// Pins that a changing delay reaches its new value, and that frames stay in order meanwhile.
#include "common/wire/playout_ramp.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a playout delay changes along a line over media time") {
  constexpr WallTime start{1000s};
  const PlayoutRamp ramp{start, 80ms, 180ms, 1s};
  CHECK(ramp.at(start - 1s) == 80ms);
  CHECK(ramp.at(start) == 80ms);
  CHECK(ramp.at(start + 500ms) == 130ms);
  CHECK(ramp.at(start + 1s) == 180ms);
  CHECK(ramp.at(start + 1h) == 180ms);
}

TEST_CASE("a constant delay is the same for all times") {
  const auto ramp = PlayoutRamp::constant(80ms);
  CHECK(ramp.at(WallTime{}) == 80ms);
  CHECK(ramp.at(WallTime{1000s}) == 80ms);
  CHECK(ramp.at(WallTime{-1000s}) == 80ms);
}

TEST_CASE("frames also follow each other evenly while it shrinks") {
  constexpr WallTime start{1000s};
  const PlayoutRamp ramp{start, 180ms, 80ms, 5s};
  auto before = start - 33ms + ramp.at(start - 33ms);
  for (auto time = start; time < start + 6s; time += 33ms) {
    const auto shown = time + ramp.at(time);
    CHECK(shown - before >= 32ms);
    CHECK(shown - before <= 33ms);
    before = shown;
  }
}
