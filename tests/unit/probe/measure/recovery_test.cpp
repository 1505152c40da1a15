#include "probe/measure/recovery.h"

#include <catch2/catch.hpp>

#include <random>

namespace lw {
namespace {

using nlohmann::json;

json intervals_of(const std::vector<double>& rates, double each_s = 0.5) {
  auto intervals = json::array();
  for (std::size_t i = 0; i < rates.size(); ++i)
    intervals.push_back({{"begin_s", static_cast<double>(i) * each_s},
                         {"end_s", static_cast<double>(i + 1) * each_s},
                         {"gbit_per_s", rates[i]}});
  return intervals;
}

TEST_CASE("a flow has recovered when it has nine tenths of the rate before") {
  // 1 Gbit/s for 2 s; disturbed from 2 s to 2.5 s; back after four more intervals.
  const auto intervals = intervals_of({1, 1, 1, 1, 0.2, 0.3, 0.6, 0.89, 0.91, 0.5});
  CHECK(recovery_s(intervals, 2, 2.5).value() == Approx(1.5));
  CHECK(recovery_s(intervals, 2, 2.4).value() == Approx(1.6));  // the interval that it ends in does not count
}

TEST_CASE("what was not disturbed recovers at once, and what does not recover has no time") {
  CHECK(recovery_s(intervals_of({1, 1, 1, 1, 1}), 1, 1.5).value() == Approx(0));
  CHECK_FALSE(recovery_s(intervals_of({1, 1, 0, 0.5, 0.8}), 1, 1.5).has_value());
  CHECK_FALSE(recovery_s(intervals_of({1, 1, 1}), 0.2, 0.5).has_value());  // nothing is before
  CHECK_FALSE(recovery_s(intervals_of({0, 0, 1}), 1, 1).has_value());
  CHECK_FALSE(recovery_s(json::array(), 1, 2).has_value());
}

TEST_CASE("recovery scales with neither the rate nor moves with what comes after it") {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> rates(20);
    for (auto& rate : rates) rate = std::uniform_real_distribution(0.1, 1.2)(random);
    const auto before = recovery_s(intervals_of(rates), 2, 3);
    auto scaled = rates;
    for (auto& rate : scaled) rate *= 8;
    CHECK(recovery_s(intervals_of(scaled), 2, 3) == before);
    if (!before) continue;
    const auto at = static_cast<std::size_t>((3 + *before) / 0.5 + 0.5);
    for (auto later = at + 1; later < rates.size(); ++later) rates[later] = 0;
    CHECK(recovery_s(intervals_of(rates), 2, 3) == before);
  }
}

}  // namespace
}  // namespace lw
