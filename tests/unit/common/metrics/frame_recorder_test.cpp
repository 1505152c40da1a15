// Records are read as they were written, and a reader that falls behind knows how many it missed; stages are
// differences of measured times.
#include "common/metrics/frame_recorder.h"

#include "common/metrics/stage_times.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("a full recorder counts what it skips, and continues when there is room") {
  FrameRecorder recorder(4);
  for (std::uint32_t frame = 0; frame < 7; ++frame) recorder.add({.frame = frame});
  CHECK(recorder.dropped() == 3);
  FrameRecord record;
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    REQUIRE(recorder.take(record));
    CHECK(record.frame == frame);
  }
  CHECK_FALSE(recorder.take(record));
  recorder.add({.frame = 9});
  REQUIRE(recorder.take(record));
  CHECK(record.frame == 9);
  CHECK(recorder.dropped() == 3);
}

TEST_CASE("a stage is measured if both its times were taken, by a clock that was not set back") {
  const WallTime now{std::chrono::seconds{1000}};
  StageTimes times;
  CHECK_FALSE(times.quantiles().p50);
  times.add(WallTime{}, now);
  times.add(now, WallTime{});
  times.add(now, now - std::chrono::milliseconds{1});
  CHECK_FALSE(times.quantiles().p50);
  for (int us = 1; us <= 100; ++us) times.add(now, now + std::chrono::microseconds{us});
  CHECK(times.quantiles().p50 == 50.0);
  CHECK(times.quantiles().p99 == 99.0);
  times.clear();
  CHECK_FALSE(times.quantiles().p99);
}
