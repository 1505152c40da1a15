#include "probe/report/series.h"

#include "probe/report/drawing.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

ProbeResult run_of(Point point, double rate, std::vector<double> flows = {}) {
  ProbeResult run;
  run.point = std::move(point);
  run.complete = true;
  run.figures = {{"gbit_per_s", rate}};
  for (const double flow_rate : flows) {
    auto& flow = run.flows.emplace_back();
    flow.flow = static_cast<unsigned>(run.flows.size() - 1);
    flow.figures = {{"gbit_per_s", flow_rate}};
  }
  return run;
}

Results results_of(std::vector<ProbeResult> runs) {
  Results results;
  results.experiment.axes = {{"flows", "flows", {1.0, 6.0}}, {"pinning", "pinning", {"none", "own core"}}};
  results.runs = std::move(runs);
  return results;
}

ResultPlot plot_of(PlotKind kind) {
  ResultPlot plot;
  plot.kind = kind;
  plot.x = "flows";
  plot.y = "gbit_per_s";
  return plot;
}

TEST_CASE("runs that differ along an axis that the plot does not name become separate series") {
  const auto results = results_of({run_of({{"flows", 1.0}, {"pinning", "none"}}, 4),
                                   run_of({{"flows", 1.0}, {"pinning", "own core"}}, 5),
                                   run_of({{"flows", 6.0}, {"pinning", "none"}}, 20)});
  const auto series = series_of(results, plot_of(PlotKind::line), "flows", "gbit_per_s");
  REQUIRE(series.size() == 2);
  CHECK(series[0].name == "none");
  CHECK(series[0].groups.size() == 2);
  CHECK(series[1].name == "own core");
  CHECK(series[1].groups.at(0).values == std::vector<double>{5});
  CHECK(name_without(results, results.runs[2].point, {}) == "flows 6, none");
}

TEST_CASE("marked runs are drawn beside those that count, and incomplete ones not at all") {
  auto marked = run_of({{"flows", 1.0}}, 7), cut = run_of({{"flows", 1.0}}, 9);
  marked.marks.push_back({"client", "clock_stepped", "", {}});
  cut.complete = false;
  const auto series =
      series_of(results_of({run_of({{"flows", 1.0}}, 4), marked, cut}), plot_of(PlotKind::line), "flows", "gbit_per_s");
  REQUIRE(series.size() == 1);
  CHECK(series[0].groups.at(0).values == std::vector<double>{4});
  CHECK(series[0].groups.at(0).marked == std::vector<double>{7});
  CHECK(drawings_of(results_of({marked, cut}), plot_of(PlotKind::line)).empty());
}

TEST_CASE("flows can be a figure, and an axis") {
  auto plot = plot_of(PlotKind::box);
  plot.flows = true;
  const auto results = results_of({run_of({{"flows", 6.0}}, 4, {1, 3}), run_of({{"flows", 6.0}}, 4, {2, 4})});
  const auto together = series_of(results, plot, "flows", "gbit_per_s");
  CHECK(together.at(0).groups.at(0).values == std::vector<double>{1, 3, 2, 4});
  const auto each = series_of(results, plot, "flow", "gbit_per_s");
  REQUIRE(each.size() == 1);
  CHECK(each[0].groups.at(1).x == AxisValue{1.0});
  CHECK(each[0].groups.at(1).values == std::vector<double>{3, 4});
  plot.by = "flow";
  CHECK(series_of(results, plot, "flows", "gbit_per_s").at(1).name == "flow 1");
}

TEST_CASE("flows of one run are not independent: a run counts once, with their median") {
  auto plot = plot_of(PlotKind::line);
  plot.flows = true;
  const auto results = results_of({run_of({{"flows", 6.0}}, 4, {1, 3, 8}), run_of({{"flows", 6.0}}, 4, {2, 5, 6})});
  CHECK(series_of(results, plot, "flows", "gbit_per_s").at(0).groups.at(0).of_runs == std::vector<double>{3, 5});
  for (const auto kind : {PlotKind::line, PlotKind::bars}) {
    plot.kind = kind;
    const auto drawings = drawings_of(results, plot);
    REQUIRE(drawings.size() == 1);
    // "series", "flows", "median", "low", "high", "coverage", "runs", "values", "marked_values"
    const auto& row = drawings[0].data.rows.at(0);
    CHECK(std::vector(row.begin() + 2, row.begin() + 8) ==
          std::vector<std::string>{"4", "3", "5", "0.5", "2", "1 3 8 2 5 6"});
    CHECK(drawings[0].note.find("median of its flows") != std::string::npos);
    CHECK(drawings[0].note.find("50 % (2 runs") != std::string::npos);
  }
  plot.by = "flow";  // one value of each run
  CHECK(drawings_of(results, plot).at(0).note.find("its flows") == std::string::npos);
}

TEST_CASE("a plot with more curves than its key can name says so") {
  CHECK(key_note(names_in_key_max).empty());
  CHECK(key_note(names_in_key_max + 1).find("25 curves") != std::string::npos);
}

}  // namespace
}  // namespace lw
