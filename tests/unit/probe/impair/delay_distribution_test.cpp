// Pins that delays have the configured distribution at any packet rate, with and without the order kept, within 99.9 %
// confidence: the test of Kolmogorov and Smirnov against distribution functions that are written here once more.
#include "probe/impair/impairment.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{1000s};
constexpr double ks_999 = 1.95;  // sqrt(n) D of 99.9 %, for many samples

double in_ms(Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

Impairment jittered(Jitter distribution, Nanoseconds delay = 10ms, Nanoseconds jitter = 1ms) {
  Impairment impairment;
  impairment.delay = delay;
  impairment.jitter = jitter;
  impairment.distribution = distribution;
  return impairment;
}

// P(delay <= ms) of a path of 10 ms and a jitter of 1 ms.
double expected(Jitter distribution, double ms) {
  const double x = ms - 10;
  if (distribution == Jitter::uniform) return std::clamp((x + 1) / 2, 0.0, 1.0);
  if (distribution == Jitter::normal) return std::erfc(-x / std::numbers::sqrt2) / 2;
  if (x < 0) return 0;
  return distribution == Jitter::exponential ? 1 - std::exp(-x) : 1 - std::pow(1 + x / 2, -3);
}

// The largest distance of the samples' distribution function from the expected one, times sqrt(n).
double distance(std::vector<double> samples, const std::function<double(double)>& cdf) {
  std::ranges::sort(samples);
  const auto count = static_cast<double>(samples.size());
  double largest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double at = cdf(samples[i]);
    largest = std::max({largest, at - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - at});
  }
  return largest * std::sqrt(count);
}

// Of packets that come evenly: the delays of those at least `apart`, in ms. Checks the order of all.
std::vector<double> delays(const Impairment& impairment, double per_second, std::size_t wanted, Nanoseconds apart,
                           std::uint64_t seed) {
  ImpairedPath path(impairment, seed);
  std::vector<double> found;
  LocalTime newest{}, next = start;
  for (std::int64_t i = 0; found.size() < wanted; ++i) {
    const auto now = start + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(i) * 1e9 / per_second)};
    const auto departure = path.take(1000, now).departure;
    if (impairment.keep_order && departure < newest) FAIL("packet " << i << " overtakes another");
    newest = departure;
    if (now < next) continue;
    found.push_back(in_ms(departure - now));
    next = now + apart;
  }
  return found;
}

double correlation(const std::vector<double>& values) {
  double mean = 0, square = 0, product = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    square += (values[i] - mean) * (values[i] - mean);
    product += (values[i] - mean) * (values[i + 1] - mean);
  }
  return product / square;
}

}  // namespace

TEST_CASE("delays have the configured distribution at any packet rate, with and without order") {
  const auto distribution = GENERATE(Jitter::uniform, Jitter::normal, Jitter::exponential, Jitter::pareto);
  const double per_second = GENERATE(100.0, 10'000.0, 90'000.0);
  const bool keep_order = GENERATE(true, false);
  auto impairment = jittered(distribution);
  impairment.keep_order = keep_order;
  INFO("distribution " << static_cast<int>(distribution) << ", " << per_second << "/s, order " << keep_order);
  // Samples are further apart than the delay's memory, which another test measures.
  const auto found = delays(impairment, per_second, 2000, keep_order ? 50ms : 0ms, 7);
  CHECK(distance(found, [&](double ms) { return expected(distribution, ms); }) < ks_999);
}

TEST_CASE("ordered delays have the distribution at any single time, from the first packet on") {
  const auto distribution = GENERATE(Jitter::uniform, Jitter::normal, Jitter::exponential, Jitter::pareto);
  // Each sample has its own path, so that samples are independent.
  constexpr std::uint64_t paths = 20'000;
  for (const auto after : {0us, 300us, 1700us, 9100us}) {
    std::vector<double> found;
    for (std::uint64_t seed = 0; seed < paths; ++seed) {
      ImpairedPath path(jittered(distribution), seed);
      for (auto time = 0us; time < after; time += 500us) path.take(1000, start + time);
      found.push_back(in_ms(path.take(1000, start + after).departure - start - after));
    }
    INFO("distribution " << static_cast<int>(distribution) << " after " << after.count() << " us");
    CHECK(distance(found, [&](double ms) { return expected(distribution, ms); }) < ks_999);
  }
}

TEST_CASE("ordered delays change by at most half a second a second, and are independent after 50 jitters") {
  const auto distribution = GENERATE(Jitter::uniform, Jitter::normal, Jitter::exponential);
  const auto close = delays(jittered(distribution), 10'000, 20'000, 0ms, 3);
  for (std::size_t i = 1; i < close.size(); ++i) REQUIRE(std::abs(close[i] - close[i - 1]) <= 0.05 + 1e-5);
  // 3.3 / sqrt(n) is what independent values reach in one of 1000 cases.
  CHECK(std::abs(correlation(delays(jittered(distribution), 1000, 5000, 50ms, 3))) < 3.3 / std::sqrt(5000));
}

TEST_CASE("25 +- 5 ms at 18,000 packets/s are 25 +- 5 ms in order") {
  const auto found = delays(jittered(Jitter::normal, 25ms, 5ms), 18'000, 2000, 250ms, 1);
  CHECK(distance(found, [](double ms) { return std::erfc((25 - ms) / 5 / std::numbers::sqrt2) / 2; }) < ks_999);
}

TEST_CASE("after a pause the order is kept, and the distribution too") {
  for (const auto distribution : {Jitter::uniform, Jitter::normal, Jitter::exponential, Jitter::pareto}) {
    const auto found = delays(jittered(distribution), 0.1, 2000, 0ms, 5);  // 10 s each: far more than 1000 jitters
    CHECK(distance(found, [&](double ms) { return expected(distribution, ms); }) < ks_999);
  }
}

TEST_CASE("a delay that would be below 0 is 0, and the order still holds") {
  const auto distribution = GENERATE(Jitter::uniform, Jitter::normal);
  const auto found = delays(jittered(distribution, 500us), 10'000, 2000, 50ms, 2);
  const auto zeros = std::ranges::count(found, 0.0);
  CHECK(std::ranges::all_of(found, [](double ms) { return ms >= 0; }));
  const double share = JitterLaw(distribution, 1ms).share_below(-500e3);
  CHECK(share == Approx(distribution == Jitter::uniform ? 0.25 : 0.3085).margin(1e-4));
  CHECK(static_cast<double>(zeros) / 2000 == Approx(share).margin(3.3 * std::sqrt(share * (1 - share) / 2000)));
}

TEST_CASE("packets keep their order when the delay or the law changes") {
  ImpairedPath path(jittered(Jitter::normal), 1);
  LocalTime newest{};
  for (int i = 0; i < 10'000; ++i) {
    if (i % 1000 == 500) path.change(jittered(Jitter::pareto, 5ms, 2ms));
    if (i % 1000 == 0) path.change(jittered(Jitter::normal, 40ms, 3ms));
    const auto departure = path.take(1000, start + i * 100us).departure;
    REQUIRE(departure >= newest);
    newest = departure;
  }
}

TEST_CASE("which packets are lost depends on their number, not on their times") {
  auto impairment = jittered(Jitter::normal);
  impairment.loss = 0.1;
  ImpairedPath fast(impairment, 1), slow(impairment, 1);
  for (int i = 0; i < 1000; ++i)
    REQUIRE(fast.take(1000, start + i * 10us).kind == slow.take(1000, start + i * 7ms).kind);
}
