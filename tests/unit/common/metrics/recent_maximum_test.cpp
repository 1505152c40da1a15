// Pins that no maximum is published for too short a time to be read.
#include "common/metrics/recent_maximum.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("whoever reads ten times a second sees each maximum, whenever it begins, and for two seconds at most") {
  const auto phase = GENERATE(0ms, 10ms, 40ms, 90ms);
  const auto peak_at = GENERATE(40ms, 990ms, 1000ms, 1020ms, 1990ms);
  RecentMaximum<Nanoseconds> recent;
  Nanoseconds published{0};
  unsigned seen = 0;
  LocalTime last_seen{};
  const LocalTime start{500s};
  for (auto now = start; now < start + 5s; now += 10ms) {
    if (now - start == peak_at) recent.add(7ms);
    recent.add(1us);
    if ((now - start) % 20ms == 0ms) published = recent.publish(now);
    CHECK(published <= 7ms);
    if (published == 7ms) last_seen = now;
    if ((now - start) % 100ms == phase) seen += published == 7ms;
  }
  CHECK(seen >= 9);
  CHECK(last_seen - start - peak_at <= 2s + 20ms);
  CHECK(published == 1us);
}

TEST_CASE("a flow that publishes seldom still shows the largest value since it last did") {
  RecentMaximum<double> recent;
  LocalTime now{500s};
  CHECK(recent.publish(now) == 0);
  for (const double value : {5.0, 2.0, 3.0}) {
    recent.add(value);
    CHECK(recent.publish(now += 10s) >= value);
  }
}
