// The histogram of times: each time in the bucket that its bounds say, and nothing lost.
#include "common/metrics/histograms.h"

#include <catch2/catch.hpp>

#include <random>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

TEST_CASE("bounds go in steps of 1, 2 and 5 over six decades") {
  for (const auto* scale : {&differences, &durations}) {
    const auto& bounds = scale->bounds;
    for (std::size_t i = 0; i + 3 < bounds.size(); ++i) CHECK(bounds[i + 3] == 10 * bounds[i]);
    CHECK(bounds[1] == 2 * bounds[0]);
    CHECK(bounds[2] == 5 * bounds[0]);
  }
  CHECK(differences.bounds.front() == 1us);
  CHECK(differences.bounds.back() == 1s);
  CHECK(durations.bounds.front() == 10us);
  CHECK(durations.bounds.back() == 10s);
}

TEST_CASE("a time at a bound is below it, a negative one in the first bucket, a long one in the last") {
  TimeHistogram histogram(durations);
  for (const auto time : {Nanoseconds{-1s}, Nanoseconds{0}, Nanoseconds{10us}}) histogram.add(time);
  histogram.add(10us + 1ns);
  histogram.add(10s);
  histogram.add(10s + 1ns);
  const auto reading = histogram.read();
  CHECK(reading.counts[0] == 3);
  CHECK(reading.counts[1] == 1);
  CHECK(reading.counts[TimeScale::size - 1] == 1);
  CHECK(reading.counts[TimeScale::size] == 1);
  CHECK(reading.count() == 6);
  CHECK(reading.sum_ns == (19s + 20us + 2ns).count());
}

TEST_CASE("counts agree with a search through all bounds, while another thread reads") {
  TimeHistogram histogram(differences);
  std::array<std::uint64_t, TimeScale::size + 1> counts{};
  std::int64_t sum_ns = 0;
  std::uint64_t before = 0;
  std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto count = histogram.read().count();
      if (count < before) std::terminate();  // counts never fall
      before = count;
    }
  });
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const Nanoseconds time{static_cast<std::int64_t>(random() >> (20 + random() % 44))};
    std::size_t bucket = 0;
    while (bucket < TimeScale::size && time > differences.bounds[bucket]) ++bucket;
    ++counts[bucket];
    sum_ns += time.count();
    histogram.add(time);
  }
  reader.request_stop();
  reader.join();
  const auto reading = histogram.read();
  CHECK(reading.counts == counts);
  CHECK(reading.sum_ns == sum_ns);
}

TEST_CASE("readings of several flows are added up by row") {
  SenderFlowHistograms one, other;
  one.read.add(15us);
  other.read.add(15us);
  other.send.add(1ms);
  auto sum = read_histograms(one);
  add_readings(sum, read_histograms(other));
  CHECK(sum[0].count() == 2);
  CHECK(sum[0].counts[1] == 2);
  CHECK(sum[1].count() == 0);
  CHECK(sum[2].sum_ns == 1'000'000);
}
