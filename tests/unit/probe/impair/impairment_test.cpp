// Pins that a path is as bad as configured, within 99.9 % confidence, and that a seed reproduces it.
#include "probe/impair/impairment.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{1000s};
constexpr double z = 3.3;  // of 99.9 %

std::vector<Fate> fates(const Impairment& impairment, std::size_t count, Nanoseconds gap = 10us,
                        std::uint64_t seed = 1) {
  ImpairedPath path(impairment, seed);
  std::vector<Fate> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(path.take(1000, start + static_cast<int>(i) * gap));
  return result;
}

double share(const std::vector<Fate>& all, bool (*is)(const Fate&)) {
  return static_cast<double>(std::ranges::count_if(all, is)) / static_cast<double>(all.size());
}
bool lost(const Fate& fate) { return fate.kind == Fate::Kind::lost; }

std::vector<double> delays_ms(const std::vector<Fate>& all, Nanoseconds gap = 10us) {
  std::vector<double> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    result.push_back(
        std::chrono::duration<double, std::milli>(all[i].departure - (start + static_cast<int>(i) * gap)).count());
  return result;
}
double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

TEST_CASE("a good path does nothing") {
  for (const auto& fate : fates({}, 1000)) {
    REQUIRE(fate.kind == Fate::Kind::passes);
    REQUIRE_FALSE((fate.twice || fate.flipped_bit || fate.overtaken_by > 0));
  }
  CHECK(mean(delays_ms(fates({}, 1000))) == 0);
}

TEST_CASE("the configured share of packets is lost, singly or in bursts of the configured length") {
  const double loss = GENERATE(0.001, 0.01, 0.2);
  const double burst = GENERATE(1.0, 8.0);
  Impairment impairment;
  impairment.loss = loss;
  impairment.loss_burst = burst;
  constexpr std::size_t count = 2'000'000;
  const auto all = fates(impairment, count);
  std::size_t runs = 0;
  for (std::size_t i = 0; i < count; ++i) runs += lost(all[i]) && (i == 0 || !lost(all[i - 1]));
  const double expected_run = burst > 1 ? burst : 1 / (1 - loss);
  INFO("loss " << loss << " burst " << burst);
  // The runs are independent; the packets in one are not. A geometric run's deviation is below its mean.
  const double error = z * std::sqrt(2.0 * static_cast<double>(runs)) / static_cast<double>(runs);
  CHECK(share(all, lost) == Approx(loss).epsilon(error));
  CHECK(share(all, lost) * count / static_cast<double>(runs) == Approx(expected_run).epsilon(error));
}

TEST_CASE("the delay has the configured distribution") {
  Impairment impairment;
  impairment.delay = 25ms;
  impairment.jitter = 5ms;
  impairment.keep_order = false;
  constexpr std::size_t count = 200'000;
  SECTION("uniform") {
    impairment.distribution = Jitter::uniform;
    const auto delays = delays_ms(fates(impairment, count));
    CHECK(*std::ranges::min_element(delays) >= 20);
    CHECK(*std::ranges::max_element(delays) <= 30);
    CHECK(mean(delays) == Approx(25).epsilon(0.002));
    CHECK(deviation(delays) == Approx(10 / std::sqrt(12)).epsilon(0.01));
  }
  SECTION("normal") {
    const auto delays = delays_ms(fates(impairment, count));
    CHECK(mean(delays) == Approx(25).epsilon(0.002));
    CHECK(deviation(delays) == Approx(5).epsilon(0.01));
  }
  SECTION("normal, never before it was sent") {
    impairment.delay = 1ms;
    CHECK(std::ranges::all_of(delays_ms(fates(impairment, count)), [](double ms) { return ms >= 0; }));
  }
  SECTION("exponential") {
    impairment.distribution = Jitter::exponential;
    const auto delays = delays_ms(fates(impairment, count));
    CHECK(*std::ranges::min_element(delays) >= 25);
    CHECK(mean(delays) == Approx(30).epsilon(0.005));
    CHECK(deviation(delays) == Approx(5).epsilon(0.02));
  }
  SECTION("pareto") {
    impairment.distribution = Jitter::pareto;
    auto delays = delays_ms(fates(impairment, count));
    CHECK(mean(delays) == Approx(30).epsilon(0.01));
    std::ranges::sort(delays);
    CHECK(delays[count / 2] == Approx(25 + 10 * (std::cbrt(2.0) - 1)).epsilon(0.005));  // the median of Lomax(3)
  }
}

TEST_CASE("jitter does not reorder unless allowed") {
  Impairment impairment;
  impairment.delay = 10ms;
  impairment.jitter = 2ms;
  const auto ordered = fates(impairment, 5000);
  CHECK(std::ranges::is_sorted(ordered, {}, &Fate::departure));
  impairment.keep_order = false;
  CHECK_FALSE(std::ranges::is_sorted(fates(impairment, 5000), {}, &Fate::departure));
}

TEST_CASE("a slow link spaces packets by its rate and drops those that would wait too long") {
  Impairment impairment;
  impairment.rate = BitRate{8e6};  // a packet of 1000 bytes takes 1 ms
  impairment.queue = 20ms;
  const auto slow = fates(impairment, 1000, 2ms);  // half the rate: no queue
  CHECK(std::ranges::all_of(delays_ms(slow, 2ms), [](double ms) { return ms == Approx(1); }));
  const auto full = fates(impairment, 10'000, 500us);  // twice the rate
  const auto dropped = share(full, [](const Fate& fate) { return fate.kind == Fate::Kind::queue_full; });
  CHECK(dropped == Approx(0.5).margin(0.01));
  LocalTime before{};
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (full[i].kind != Fate::Kind::passes) continue;
    REQUIRE(full[i].departure - before >= 1ms);
    REQUIRE(full[i].departure - (start + static_cast<int>(i) * 500us) <= 21ms);
    before = full[i].departure;
  }
}

TEST_CASE("paths that share a link have its rate together") {
  Impairment impairment;
  impairment.rate = BitRate{8e6};  // a packet of 1000 bytes takes 1 ms
  impairment.queue = 20ms;
  Bottleneck link;
  ImpairedPath one(impairment, 1, &link), other(impairment, 2, &link);
  std::vector<LocalTime> departures;
  for (int i = 0; i < 5000; ++i)  // each at the rate of the link
    for (auto* path : {&one, &other})
      if (const auto fate = path->take(1000, start + i * 1ms); fate.kind == Fate::Kind::passes)
        departures.push_back(fate.departure);
  CHECK(static_cast<double>(departures.size()) == Approx(5020).margin(2));
  for (std::size_t i = 1; i < departures.size(); ++i) REQUIRE(departures[i] - departures[i - 1] >= 1ms);
}

TEST_CASE("duplicates, changes and reordering are as frequent as configured") {
  Impairment impairment;
  impairment.duplicate = 0.05;
  impairment.corrupt = 0.02;
  impairment.reorder = 0.1;
  impairment.reorder_by = 64;
  const auto all = fates(impairment, 100'000);
  CHECK(share(all, [](const Fate& fate) { return fate.twice; }) == Approx(0.05).epsilon(0.06));
  CHECK(share(all, [](const Fate& fate) { return fate.flipped_bit.has_value(); }) == Approx(0.02).epsilon(0.08));
  CHECK(share(all, [](const Fate& fate) { return fate.overtaken_by == 64; }) == Approx(0.1).epsilon(0.04));
}

TEST_CASE("the same seed repeats a path, another seed gives another") {
  Impairment impairment;
  impairment.loss = 0.1;
  impairment.jitter = 1ms;
  const auto same = [](const Fate& a, const Fate& b) { return a.kind == b.kind && a.departure == b.departure; };
  CHECK(std::ranges::equal(fates(impairment, 1000), fates(impairment, 1000), same));
  CHECK_FALSE(std::ranges::equal(fates(impairment, 1000), fates(impairment, 1000, 10us, 2), same));
}
