// Pins that a frame's time is that of its last packet, also of a late one.
#include "wall-client/receive/completion_times.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr WallTime start{1000s};

}  // namespace

TEST_CASE("no quantile exists before the first frame") { CHECK_FALSE(CompletionTimes{}.quantile(0.99)); }

TEST_CASE("the last packet of a frame counts, also after packets of newer frames") {
  CompletionTimes times;
  times.add(start, start + 20ms);
  times.add(start + 33ms, start + 53ms);
  times.add(start, start + 120ms);
  times.add(start, start + 90ms);  // two paths: the other was earlier
  CHECK(times.quantile(0.5) == 20ms);
  CHECK(times.quantile(1) == 120ms);
}

TEST_CASE("one slow frame in a hundred does not set the time for the others") {
  CompletionTimes times;
  for (int i = 0; i < 100; ++i) times.add(start + i * 33ms, start + i * 33ms + (i == 50 ? 300ms : 30ms));
  CHECK(times.quantile(0.99) == 30ms);
  CHECK(times.quantile(1) == 300ms);
}

TEST_CASE("old frames are forgotten") {
  CompletionTimes times;
  for (int i = 0; i < 600; ++i) times.add(start + i * 33ms, start + i * 33ms + (i < 60 ? 300ms : 30ms));
  CHECK(times.quantile(1) == 30ms);
}
