// Pins that a frame's time is that of its last packet, also of a late one.
#include "wall-client/receive/completion_times.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};

}  // namespace

TEST_CASE("no quantile exists before the first frame") {
  TimeHistogram all(durations);
  CHECK_FALSE(CompletionTimes(all).quantile(0.99));
}

TEST_CASE("the last packet of a frame counts, also after packets of newer frames") {
  TimeHistogram all(durations);
  CompletionTimes times(all);
  times.add(start, start + 20ms);
  times.add(start + 33ms, start + 53ms);
  times.add(start, start + 120ms);
  times.add(start, start + 90ms);  // two paths: the other was earlier
  CHECK(times.quantile(0.5) == 20ms);
  CHECK(times.quantile(1) == 120ms);
}

TEST_CASE("one slow frame in a hundred does not set the time for the others") {
  TimeHistogram all(durations);
  CompletionTimes times(all);
  for (int i = 0; i < 100; ++i) times.add(start + i * 33ms, start + i * 33ms + (i == 50 ? 300ms : 30ms));
  CHECK(times.quantile(0.99) == 30ms);
  CHECK(times.quantile(1) == 300ms);
}

TEST_CASE("old frames are forgotten") {
  TimeHistogram all(durations);
  CompletionTimes times(all);
  for (int i = 0; i < 600; ++i) times.add(start + i * 33ms, start + i * 33ms + (i < 60 ? 300ms : 30ms));
  CHECK(times.quantile(1) == 30ms);
}

TEST_CASE("a frame enters the histogram once, when later packets can no longer change its time") {
  TimeHistogram all(durations);
  CompletionTimes times(all);
  times.add(start, start + 20ms);
  times.add(start, start + 900ms);  // late
  for (int frame = 1; frame <= 64; ++frame) {
    CHECK(all.read().count() == 0);
    times.add(start + frame * 33ms, start + frame * 33ms + 20ms);
  }
  CHECK(all.read().count() == 1);
  CHECK(all.read().sum_ns == Nanoseconds{900ms}.count());
  times.add(start, start + 950ms);  // far too late: another frame
  times.add(start + 65 * 33ms, start + 65 * 33ms + 20ms);
  CHECK(all.read().count() == 3);
}
