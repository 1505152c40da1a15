// Pins the precision of a histogram of times, its limits, and that several add up.
#include "probe/impair/time_histogram.h"

#include <catch2/catch.hpp>

#include <memory>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("a histogram of times knows its quantiles within 0.4 %, its mean and its longest exactly") {
  TimeHistogram times;
  for (int us = 1; us <= 100'000; ++us) times.add(us * 1us);
  TimeDistribution all;
  all.add(times);
  CHECK(all.count() == 100'000);
  for (const double fraction : {0.001, 0.01, 0.5, 0.99}) {
    const double exact = fraction * 100'000 * 1e3;
    CHECK(*all.quantile(fraction) == Approx(exact).epsilon(0.004));
  }
  CHECK(*all.quantile(1) <= 100e6);
  CHECK(*all.mean() == Approx(50'000.5e3));
  CHECK(*all.max() == 100e6);
}

TEST_CASE("a histogram of times holds the shortest and the longest") {
  for (const auto time : {0ns, 1ns, 255ns, 256ns, 257ns, 1'000'000ns, Nanoseconds{270s}}) {
    TimeHistogram times;
    times.add(time);
    TimeDistribution all;
    all.add(times);
    CHECK(*all.quantile(0.5) == Approx(static_cast<double>(time.count())).epsilon(0.004));
  }
  TimeHistogram times;
  times.add(-5ns);
  times.add(Nanoseconds{24h});
  TimeDistribution all;
  all.add(times);
  CHECK(all.quantile(0.5) == 0);
  CHECK(*all.max() == Approx(86'400e9));
}

TEST_CASE("histograms of times add up, and an empty one has no figures") {
  TimeHistogram one, other;
  TimeDistribution all;
  CHECK_FALSE((all.quantile(0.5) || all.mean() || all.max()));
  one.add(1ms);
  other.add(3ms);
  other.add(5ms);
  all.add(one);
  all.add(other);
  CHECK(*all.quantile(0.5) == Approx(3e6).epsilon(0.004));
  CHECK(*all.mean() == Approx(3e6));
}
