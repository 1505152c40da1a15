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
  TimeHistogram all(durations);
  CHECK_FALSE(times.quantiles().p50);
  times.add(WallTime{}, now, all);
  times.add(now, WallTime{}, all);
  times.add(now, now - std::chrono::milliseconds{1}, all);
  CHECK_FALSE(times.quantiles().p50);
  for (int us = 1; us <= 100; ++us) times.add(now, now + std::chrono::microseconds{us}, all);
  CHECK(times.quantiles().p50 == 50.0);
  CHECK(times.quantiles().p99 == 99.0);
  times.clear();
  CHECK(all.read().count() == 100);
  CHECK(all.read().sum_ns == 5'050'000);
  CHECK_FALSE(times.quantiles().p99);
}
