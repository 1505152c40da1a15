// Pins the comparison of a sweep's points with each other: which points are compared, and when in pairs.
#include "probe/compare/comparison.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace lw {
namespace {

// A sweep over flows and pinning, in blocks; `rate` returns a point's figure in a repetition.
template <class Rate>
Results sweep_of(unsigned repetitions, Rate rate) {
  Results results;
  results.experiment.axes = {{"flows", "flows", {1.0, 6.0}}, {"pinning", "pinning", {"none", "own core"}}};
  unsigned number = 0;
  for (const auto& flows : results.experiment.axes[0].values)
    for (const auto& pinning : results.experiment.axes[1].values)
      for (unsigned repetition = 1; repetition <= repetitions; ++repetition) {
        auto& run = results.runs.emplace_back();
        run.point = {{"flows", flows}, {"pinning", pinning}};
        run.repetition = repetition;
        run.run = 4 * (repetition - 1) + number / repetitions % 4 + 1;
        ++number;
        run.complete = true;
        run.figures = {{"gbit_per_s", rate(std::get<double>(flows), pinning == AxisValue("own core"), repetition)}};
        run.hosts.push_back({"client", "a", std::make_shared<nlohmann::json>(nlohmann::json::object()), {}});
      }
  return results;
}

// Each repetition has another level; a separate core adds a little to six flows.
double drifting(double flows, bool own_core, unsigned repetition) {
  return flows * std::exp2(repetition) + (own_core && flows > 1 ? 0.5 + 0.01 * repetition : 0);
}

TEST_CASE("points that differ in one axis are compared within repetitions") {
  const auto out = compare_by(sweep_of(7, drifting), "pinning", {}).value();
  CHECK(out.paired);
  CHECK(out.unlike.empty());
  REQUIRE(out.points.size() == 2);
  CHECK(out.points[0].point == Point{{"flows", 1.0}});
  CHECK(out.points[1].a == Point{{"pinning", "none"}});
  CHECK(out.points[1].b == Point{{"pinning", "own core"}});
  CHECK(verdict(out.points[0].figures[0]) == "the same");
  const auto& six = out.points[1].figures[0];
  CHECK(six.a.runs == 7);
  CHECK(six.test.p == Approx(2.0 / 128));
  CHECK(six.test.above == 0);
  CHECK(six.differs());
  CHECK(verdict(six).starts_with("A is slower by "));
  const auto text = comparison_text(out);
  CHECK(text.find("A: pinning none; B: pinning own core (flows 6)") != std::string::npos);
  CHECK(text.find("7 pairs") != std::string::npos);
  CHECK(text.find("Runs of the same repetition") != std::string::npos);
  const auto json = comparison_json(out);
  CHECK(json["by"] == "pinning");
  CHECK(json["paired"] == true);
  CHECK(json["points"][1]["b"]["pinning"] == "own core");
}

TEST_CASE("a sweep that did not run in blocks is compared without pairs") {
  auto results = sweep_of(7, drifting);
  for (auto& run : results.runs) run.repetition = 1;
  const auto out = compare_by(results, "pinning", {}).value();
  CHECK_FALSE(out.paired);
  CHECK_FALSE(out.points[1].figures[0].differs());  // the levels hide the difference
  CHECK(comparison_text(out).find("7, 7") != std::string::npos);
}

TEST_CASE("a repetition with one of the two runs is skipped") {
  auto results = sweep_of(5, drifting);
  results.runs.back().marks.push_back({"client", "clock_stepped", "", {}});
  const auto out = compare_by(results, "pinning", {}).value();
  CHECK(out.left_out_a.marked == 1);
  const auto& six = out.points[1].figures[0];
  CHECK(six.a.runs == 4);
  CHECK(verdict(six) ==
        "no difference shown, too few runs: with 4 repetitions, p cannot be below 0.12; 6 repetitions could suffice");
}

TEST_CASE("an axis that cannot be compared is named") {
  const auto results = sweep_of(2, drifting);
  CHECK(compare_by(results, "size", {}).error().text().find("flows, pinning") != std::string::npos);
  CHECK(compare_by(results, "flows", {"jitter_us"}).error().what.find("no two points") != std::string::npos);
  auto one = results;
  std::erase_if(one.runs, [](const ProbeResult& run) { return run.point.at("flows") == AxisValue(1.0); });
  CHECK(compare_by(one, "flows", {}).error().what.find("differ in flows only") != std::string::npos);
}

TEST_CASE("sweeps without a difference have no more false verdicts than claimed") {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  constexpr int trials = 2000;
  int with_false = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> levels(13);
    for (auto& level : levels) level = 10 * normal(random);
    const auto results = sweep_of(
        8, [&](double, bool, unsigned repetition) { return levels[repetition] + std::round(4 * normal(random)) / 4; });
    for (const auto& point : compare_by(results, "pinning", {}).value().points)
      if (point.figures[0].differs()) {
        ++with_false;
        break;
      }
  }
  INFO("with a false verdict, of " << trials << ": " << with_false);
  CHECK(with_false <= 0.05 * trials + 3.09 * std::sqrt(0.05 * 0.95 * trials));
}

TEST_CASE("whether a sweep ran in blocks shows in its runs") {
  auto results = sweep_of(3, drifting);
  CHECK(ran_in_blocks(results));
  std::swap(results.runs[0].run, results.runs[1].run);  // the first repetition ended after the second began
  CHECK_FALSE(ran_in_blocks(results));
  results = sweep_of(3, drifting);
  results.runs[0].repetition = 0;
  CHECK_FALSE(ran_in_blocks(results));
}

}  // namespace
}  // namespace lw
