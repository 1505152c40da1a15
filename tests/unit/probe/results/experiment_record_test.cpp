#include "probe/results/experiment_record.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

std::string with_plot(const std::string& plot) {
  return R"({"schema": "lambdawall-experiment-1", "name": "p2", "axes": [{"key": "flows", "values": [1, 6]},
             {"key": "pinning", "label": "pinned", "values": ["none", "own core"]}], "plots": [)" +
         plot + "]}";
}

std::string error_of(const std::string& plot) {
  return parse_experiment_record(with_plot(plot), "experiment.json").error().what;
}

TEST_CASE("an experiment is read") {
  const auto record = parse_experiment_record(
      with_plot(
          R"({"kind": "line", "title": "T", "x": "flows", "y": "gbit_per_s", "by": "pinning", "log_x": true, "log_y": true},
                   {"kind": "box", "x": "flow", "y": "gbit_per_s", "flows": true},
                   {"kind": "map", "x": "flows", "y": "pinning", "z": "loss"}, {"kind": "time"})"),
      "experiment.json");
  REQUIRE(record.has_value());
  CHECK(record->title == "p2");
  CHECK(record->find_axis("flows")->label == "flows");
  CHECK(record->find_axis("pinning")->values == std::vector<AxisValue>{"none", "own core"});
  REQUIRE(record->plots.size() == 4);
  CHECK(record->plots[0].kind == PlotKind::line);
  CHECK(record->plots[0].log_x);
  CHECK(record->plots[0].log_y);
  CHECK_FALSE(record->plots[1].log_y);
  CHECK(record->plots[1].flows);
  CHECK(to_text(record->plots[2].kind) == "map");
}

TEST_CASE("a plot that cannot be drawn is refused") {
  CHECK(error_of(R"({"kind": "pie"})").find("plots[0].kind is 'pie', and must be one of line, box") !=
        std::string::npos);
  CHECK(error_of(R"({"kind": "line", "x": "flows"})") == "experiment.json: plots[0].y is missing");
  CHECK(error_of(R"({"kind": "line", "x": "cores", "y": "loss"})").find("plots[0].x is 'cores'") != std::string::npos);
  CHECK(error_of(R"({"kind": "line", "x": "flow", "y": "loss"})").find("not an axis") != std::string::npos);
  CHECK(error_of(R"({"kind": "map", "x": "flows", "y": "loss", "z": "loss"})").find("plots[0].y") != std::string::npos);
  CHECK(error_of(R"({"kind": "table"})").find("columns must name a figure") != std::string::npos);
}

}  // namespace
}  // namespace lw
