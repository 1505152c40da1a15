// The registry's names and units agree with each other, and figures are read from the members that its rows name.
#include "common/metrics/figures.h"

#include <catch2/catch.hpp>

#include <set>
#include <string_view>

namespace {

using namespace lw;

struct One {
  unsigned a = 0;
};
struct Two {
  unsigned a = 0;
  std::optional<double> b;
};

}  // namespace

template <>
struct registry::Registered<Two> {
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{row<&Two::a>({"a", "a", MetricKind::gauge, "times", own, "", ""})};
};
template <>
struct registry::Registered<One> {
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{row<&One::a>({"a", "a", MetricKind::gauge, "times", "", "", ""})};
};
static_assert(!registry::is_complete<One>(), "a row without a source is noticed");
static_assert(!registry::is_complete<Two>(), "a member without a row is noticed");
static_assert(registry::count_members<Two>() == 2);

TEST_CASE("Prometheus names are unique and have the suffix of their kind") {
  std::set<std::string_view> names;
  std::size_t count = 0;
  for (const auto& table : metric_tables) {
    std::set<std::string_view> keys;
    for (const auto& metric : table.metrics) {
      INFO(metric.prometheus);
      CHECK(names.insert(metric.prometheus).second);
      CHECK(keys.insert(metric.key).second);
      CHECK(metric.prometheus.ends_with("_total") == (metric.kind == MetricKind::counter));
      CHECK((metric.key.find("_us") != std::string_view::npos) == (metric.unit == "µs"));
      CHECK((metric.scale() == 1e-6) == (metric.unit == "µs"));
      CHECK((metric.prometheus.find("_seconds") != std::string_view::npos) ==
            (metric.unit == "µs" || metric.unit == "s"));
      CHECK_FALSE(metric.help.empty());
      CHECK_FALSE(metric.definition.empty());
      ++count;
    }
  }
  CHECK(names.size() == count);
  CHECK(count > 90);
}

TEST_CASE("figures have the members' values, in the unit of the table, and are absent if not measured") {
  ReceiverFlowStats stats;
  stats.lost = 7;
  stats.kernel_drops = 3;
  stats.jitter_max_us = 8;
  stats.assemble = {1.5, {}};
  Figures<ReceiverFlowStats> figures(stats);
  CHECK(figures["lost"].whole() == 7);
  CHECK(figures["lost"].number() == 7.0);
  CHECK(figures["kernel_drops"] == Figure(3U));
  CHECK_FALSE(figures["second_path"].measured());
  CHECK(figures["cpu_s"].number() == 0.0);
  CHECK_FALSE(figures["cpu_s"].whole());
  CHECK(figures["assemble_us_p50"].number() == 1.5);
  CHECK_FALSE(figures["assemble_us_p99"].measured());
  CHECK_FALSE(figures["jitter_max_us"].measured());  // without the jitter itself
  stats.jitter_us = 5;
  CHECK(Figures(stats)["jitter_max_us"].number() == 8.0);

  SenderFlowStats sent;
  sent.late_max = Nanoseconds(1500);
  CHECK(Figures(sent)["late_us_max"].number() == 1.5);
  CHECK_FALSE(Figures(sent)["rtt_us"].measured());
}

TEST_CASE("figures that compare the clocks of two hosts can be dropped") {
  ReceiverFlowStats stats;
  stats.delay_us_min = stats.delay_us_p50 = stats.delay_us_p99 = stats.completion_us_p50 = stats.completion_us_p99 = 1;
  stats.jitter_us = 2;
  Figures<ReceiverFlowStats> figures(stats);
  figures.drop_what_needs_clock_bound();
  auto expected = stats;
  expected.delay_us_min = expected.delay_us_p50 = expected.delay_us_p99 = {};
  expected.completion_us_p50 = expected.completion_us_p99 = {};
  CHECK(figures == Figures(expected));
}
