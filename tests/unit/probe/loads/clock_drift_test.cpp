// The drift of two clocks is found below the queues' delays, and taken out of the delay variation. Paths are seeded.
#include "probe/loads/clock_drift.h"

#include "probe/loads/frame_statistics.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace lw {
namespace {

struct Path {
  double frames_per_s = 60, seconds = 30;
  double base_us = 5000, queue_us = 800;  // the least delay; the mean of what queues add, exponentially distributed
  double drift_ppm = 0, offset_us = 0;    // of the receiver's clock
};

// By the true clock, which is the sender's.
std::vector<DelayAt> true_delays(const Path& path, unsigned seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> queue(1 / path.queue_us);
  std::vector<DelayAt> delays;
  for (int i = 0; i < static_cast<int>(path.frames_per_s * path.seconds); ++i)
    delays.push_back({i / path.frames_per_s, path.base_us + queue(random)});
  return delays;
}

FlowFigures figures_of(const Path& path, const std::vector<DelayAt>& delays) {
  FrameStatistics statistics;
  const WallTime start{std::chrono::seconds{1'700'000'000}};
  const auto after = [&](double us) { return start + Nanoseconds{std::llround(us * 1000)}; };
  for (const auto& [at_s, delay_us] : delays) {
    const double arrival_us = at_s * 1e6 + delay_us;
    statistics.add({after(arrival_us * (1 + path.drift_ppm * 1e-6) + path.offset_us), after(at_s * 1e6)});
  }
  return statistics.figures();
}

TEST_CASE("a known drift is found, and the delay variation is that of the path") {
  std::mt19937 random(21);
  for (unsigned seed = 0; seed < 40; ++seed) {
    Path path;
    path.drift_ppm = std::uniform_real_distribution<double>(-200, 200)(random);
    path.offset_us = std::uniform_real_distribution<double>(-1e7, 1e7)(random);
    path.queue_us = std::exp(std::uniform_real_distribution<double>(std::log(20), std::log(5000))(random));
    const auto delays = true_delays(path, seed);
    const auto one_clock = figures_of({path.frames_per_s, path.seconds, path.base_us, path.queue_us}, delays);
    const auto figures = figures_of(path, delays);
    INFO("seed " << seed << ", drift " << path.drift_ppm << " ppm, queue " << path.queue_us << " us");
    // docs/probe.md states these errors.
    CHECK(std::abs(figures.at("clock_drift_ppm") - path.drift_ppm) < 0.01 + path.queue_us * 0.001);
    for (const auto* part : {"_p50", "_p99", "_max"}) {
      const auto known = one_clock.at(std::string("pdv_us") + part);
      const auto found = figures.at(std::string("driftless_pdv_us") + part);
      CHECK(std::abs(found - known) < 0.1 + path.queue_us * 0.006);
    }
    if (std::abs(path.drift_ppm) > 50) CHECK(figures.at("pdv_us_max") > 1000);  // as the clocks alone would have it
  }
}

TEST_CASE("no delay is below the line, and any line that is added to the delays is found") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(-1000, 1000);
  for (unsigned seed = 0; seed < 40; ++seed) {
    auto delays = true_delays({.frames_per_s = 24, .seconds = 5}, seed);
    const auto line = drift_line(delays);
    REQUIRE(line);
    int touched = 0;
    for (const auto& delay : delays) {
      CHECK(line->above_us(delay) > -1e-6);
      touched += line->above_us(delay) < 1e-6;
    }
    CHECK(touched >= 2);
    const double ppm = anywhere(random), base_us = anywhere(random);
    for (auto& delay : delays) delay.delay_us += base_us + ppm * delay.at_s;
    std::ranges::shuffle(delays, random);
    const auto moved = drift_line(delays);
    REQUIRE(moved);
    CHECK(moved->ppm - line->ppm == Approx(ppm).margin(1e-6));
    CHECK(moved->base_us - line->base_us == Approx(base_us).margin(1e-6));
  }
}

TEST_CASE("queues do not move the line: half of all delays a second longer") {
  auto delays = true_delays({.queue_us = 10}, 3);
  for (std::size_t i = 0; i < delays.size(); i += 2) delays[i].delay_us += 1e6 * static_cast<double>(i % 7);
  CHECK(std::abs(drift_line(delays)->ppm) < 0.1);
}

TEST_CASE("too little for a drift, and what a clock does not do") {
  CHECK_FALSE(drift_line({}));
  CHECK_FALSE(drift_line(true_delays({.frames_per_s = 10, .seconds = 3.1}, 1)));
  CHECK_FALSE(drift_line(true_delays({.frames_per_s = 1000, .seconds = 0.9}, 1)));
  CHECK(drift_line(std::vector<DelayAt>(100, DelayAt{1, 1})) == std::nullopt);
  // A queue that grows by 5 ms each second.
  const Path path{.drift_ppm = 5000};
  const auto figures = figures_of(path, true_delays(path, 1));
  CHECK(figures.count("clock_drift_ppm") == 0);
  CHECK(figures.count("driftless_pdv_us_p99") == 0);
  CHECK(figures.at("pdv_us_max") > 100'000);
}

TEST_CASE("arrivals at one time do not upset the line") {
  std::vector<DelayAt> delays;
  for (int i = 0; i < 50; ++i)
    for (const double more : {3.0, 0.0, 1.0}) delays.push_back({i * 0.1, 100 + i * 0.1 * 25 + more});
  const auto line = drift_line(delays);
  REQUIRE(line);
  CHECK(line->ppm == Approx(25));
  CHECK(line->base_us == Approx(100));
}

}  // namespace
}  // namespace lw
