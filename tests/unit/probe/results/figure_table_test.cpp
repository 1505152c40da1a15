#include "probe/results/figure_table.h"

#include "common/metrics/registry.h"
#include "probe/report/figure_text.h"

#include <catch2/catch.hpp>

#include <set>

namespace lw {
namespace {

// The units that names state at their end, before the part.
std::string_view unit_in_name(std::string_view name) {
  struct Unit {
    std::string_view suffix, unit;
  };
  for (const auto& [suffix, unit] : {Unit{"gbit_per_s", "Gbit/s"},
                                     {"mib_per_s", "MiB/s"},
                                     {"s_per_gb", "s/GB"},
                                     {"_per_s", "1/s"},
                                     {"_us", "µs"},
                                     {"_bytes", "bytes"},
                                     {"_s", "s"}})
    if (name.ends_with(suffix)) return unit;
  return {};
}

TEST_CASE("every figure is found by its complete name, and no other name is") {
  std::set<std::string> names;
  for (const auto& row : figure_rows())
    for_each_part(row, [&](std::string_view part) {
      const auto name = figure_name(row, part);
      CHECK(names.insert(name).second);
      const auto found = find_figure(name);
      REQUIRE(found);
      CHECK(found->row == &row);
      CHECK(found->part == part);
      for (const auto& other : {name + "_", name + "_p42", "x" + name, name.substr(1)})
        if (!names.contains(other))
          CHECK((!find_figure(other) || figure_name(*find_figure(other)->row, find_figure(other)->part) == other));
    });
  for (const auto* name : {"", "_", "jitter", "delay_us", "loss_run", "loss_max", "value", "gbit_per_s_value"})
    CHECK_FALSE(find_figure(name));
}

TEST_CASE("every figure has a unit, which is that of its name, and a sentence") {
  for (const auto& row : figure_rows()) {
    INFO(row.name);
    CHECK_FALSE(row.unit.empty());
    if (const auto unit = unit_in_name(row.name); !unit.empty()) CHECK(row.unit == unit);
    CHECK_FALSE(row.definition.empty());
    CHECK_FALSE(row.definition.ends_with('.'));
    CHECK_FALSE(figure_definition(row.name).empty());
    for_each_part(row, [&](std::string_view part) {
      CHECK((part == "value" || part == "min" || part == "mean" || part == "p50" || part == "p99" || part == "max" ||
             part == "stddev" || part == "median"));
    });
  }
  for (const auto& row : counter_rows()) {
    INFO(row.name);
    CHECK_FALSE(row.unit.empty());
    if (const auto unit = unit_in_name(row.name); !unit.empty()) CHECK(row.unit == unit);
  }
}

TEST_CASE("counts that a result takes from the data path are metrics of the registry") {
  const auto is_in = [](const auto& metrics, std::string_view name) {
    return std::ranges::find(metrics, name, &Metric::key) != metrics.end();
  };
  for (const auto& row : figure_rows())
    for_each_part(row, [&](std::string_view part) {
      const auto name = figure_name(row, part);
      INFO(name);
      if (row.origin == FigureOrigin::receiver_total || row.origin == FigureOrigin::receiver_gauge)
        CHECK(is_in(metrics_of<ReceiverFlowStats>, name));
      if (row.origin == FigureOrigin::sender_total || row.origin == FigureOrigin::sender_gauge) {
        const bool counted = std::ranges::find(counter_rows(), name, &CounterRow::name) != counter_rows().end();
        CHECK((counted || is_in(metrics_of<SenderFlowStats>, name)));
      }
    });
}

TEST_CASE("figures of flows become the load's by their kind, those of other versions by their name's end") {
  CHECK(over_flows("lost") == OverFlows::sum);
  CHECK(over_flows("messages_per_s") == OverFlows::sum);
  CHECK(over_flows("jitter_us_mean") == OverFlows::worst);
  CHECK(over_flows("message_us_mean") == OverFlows::mean);
  CHECK(over_flows("message_us_min") == OverFlows::least);
  CHECK(over_flows("pdv_us_p99") == OverFlows::worst);
  CHECK(over_flows("loss_run_max") == OverFlows::worst);
  CHECK(over_flows("rtt_us") == OverFlows::mean);
  CHECK(over_flows("loss") == OverFlows::pooled);
  CHECK(over_flows("furlongs_max") == OverFlows::worst);
  CHECK(over_flows("furlongs") == OverFlows::mean);
}

}  // namespace
}  // namespace lw
