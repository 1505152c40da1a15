// Frames of an older generation are used before the newest one begins, and refused from then on, but not for ever.
#include "wall-client/receive/newest_generation.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

const WallTime start{1'000s};

FrameStamp stamp(std::uint16_t generation, Nanoseconds media_time) { return {start + media_time, 1, generation, 1}; }

}  // namespace

TEST_CASE("frames from before the newest generation are used, whenever they arrive") {
  NewestGeneration newest;
  CHECK(newest.takes(stamp(65535, 0ms), start));
  CHECK(newest.takes(stamp(0, 100ms), start + 100ms));
  CHECK(newest.takes(stamp(65535, 66ms), start + 101ms));  // by a slower path
  CHECK(newest.takes(stamp(0, 133ms), start + 133ms));
  CHECK_FALSE(newest.takes(stamp(65535, 100ms), start + 134ms));
  CHECK_FALSE(newest.takes(stamp(65535, 166ms), start + 166ms));
  CHECK(newest.takes(stamp(0, 166ms), start + 166ms));
}

TEST_CASE("after a clock was set back, the newest generation still counts") {
  NewestGeneration newest;
  CHECK(newest.takes(stamp(5, 10s), start));
  CHECK(newest.takes(stamp(6, 11s), start));
  CHECK(newest.takes(stamp(6, 1s), start));
  CHECK_FALSE(newest.takes(stamp(5, 2s), start));
}

TEST_CASE("an older generation counts again if its server keeps sending") {
  NewestGeneration newest;
  CHECK(newest.takes(stamp(200, 0ms), start));
  for (auto time = 0ms; time <= NewestGeneration::stale_max; time += 20ms)
    CHECK_FALSE(newest.takes(stamp(7, time), start + time));
  CHECK(newest.takes(stamp(7, 520ms), start + 520ms));
  CHECK(newest.takes(stamp(7, 540ms), start + 540ms));
  // Not by a single one long after the first.
  CHECK_FALSE(newest.takes(stamp(6, 560ms), start + 560ms));
  CHECK_FALSE(newest.takes(stamp(6, 5s), start + 5s));
}

TEST_CASE("a new stream has generations of its own") {
  NewestGeneration newest;
  CHECK(newest.takes(stamp(9, 0ms), start));
  newest.reset();
  CHECK(newest.takes(stamp(1, 10ms), start));
}
