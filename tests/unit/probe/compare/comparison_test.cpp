#include "probe/compare/comparison.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

ProbeResult run_of(double flows, double rate, const std::string& kernel = "6.1") {
  ProbeResult run;
  run.point = {{"flows", flows}};
  run.complete = true;
  run.figures = {{"gbit_per_s", rate}, {"loss", 0.0}};
  run.load = {{"flows", flows}, {"size", {{"datagram_bytes", 8900}}}};
  auto& host = run.hosts.emplace_back();
  host = {"client", "a", {}, {}};
  host.facts = std::make_shared<nlohmann::json>(
      nlohmann::json{{"limits", {{"kernel", kernel}}}, {"topology", {{"cpu_model", "C"}}}});
  return run;
}

Results results_of(std::initializer_list<double> rates, double flows = 6) {
  Results results;
  for (const double rate : rates) results.runs.push_back(run_of(flows, rate));
  return results;
}

const FigureComparison& rate_of(const Comparison& comparison) { return comparison.points.at(0).figures.at(0); }

TEST_CASE("an existing difference is reported with its size") {
  const auto a = results_of({10.3, 10.4, 10.5, 10.6, 10.7}), b = results_of({10.0, 10.01, 10.02, 10.03, 10.04});
  const auto up = compare(a, b, {}).value();
  CHECK(up.unlike.empty());
  CHECK(up.count() == 2);
  CHECK(verdict(rate_of(up)) == "A is faster by 4.79 % (2.79 to 6.79 %), p = 0.0079");
  CHECK(verdict(rate_of(compare(b, a, {}).value())) == "A is slower by 4.57 % (2.67 to 6.48 %), p = 0.0079");
  CHECK(verdict(up.points[0].figures[1]) == "the same");
}

TEST_CASE("no difference, and too few runs, are reported") {
  const auto alike = compare(results_of({1, 3, 5, 7, 9}), results_of({2, 4, 6, 8, 10}), {}).value();
  CHECK(verdict(rate_of(alike)).starts_with("no difference shown: A is higher by -16.7 % ("));
  const auto few = compare(results_of({1, 2, 3}), results_of({7, 8, 9}), {"gbit_per_s"}).value();
  CHECK(few.count() == 1);
  CHECK(verdict(rate_of(few)) ==
        "no difference shown, too few runs: with 3 and 3, p cannot be below 0.1; 4 of each could suffice");
}

TEST_CASE("runs that do not count are skipped and counted") {
  auto a = results_of({1, 2, 3});
  a.runs[0].marks.push_back({"client", "clock_stepped", "", {}});
  a.runs[1].complete = false;
  const auto out = compare(a, results_of({1, 2}), {}).value();
  CHECK(rate_of(out).a.runs == 1);
  CHECK(out.left_out_a.marked == 1);
  CHECK(out.left_out_a.incomplete == 1);
  CHECK(out.left_out_b.marked == 0);
}

TEST_CASE("points are compared with the same points") {
  auto a = results_of({1, 2}), b = results_of({1, 2});
  a.runs.push_back(run_of(10, 5));
  b.runs.push_back(run_of(12, 5));
  const auto out = compare(a, b, {}).value();
  REQUIRE(out.points.size() == 1);
  CHECK(out.only_a == std::vector<Point>{{{"flows", 10.0}}});
  CHECK(out.only_b == std::vector<Point>{{{"flows", 12.0}}});
  CHECK(compare(results_of({1}, 6), results_of({1}, 7), {}).error().what.find("no point") != std::string::npos);
  CHECK(compare(a, b, {"jitter_us"}).error().what.find("no figure") != std::string::npos);
}

TEST_CASE("differences of machines and loads are named") {
  auto a = results_of({1, 2}), b = results_of({1, 2});
  for (auto& run : b.runs) run.load["size"]["datagram_bytes"] = 1400;
  b.runs[0].hosts[0].name = b.runs[1].hosts[0].name = "b";
  const auto out = compare(a, b, {}).value();
  CHECK(out.unlike ==
        std::vector<std::string>{"client host: a against b", "load size/datagram_bytes: 8900 against 1400"});
  CHECK(comparison_text(out).starts_with("NOT OF THE SAME SETTING"));

  auto mixed = results_of({1});
  mixed.runs.push_back(run_of(6, 2, "6.6"));
  CHECK(compare(mixed, a, {}).value().unlike.at(0) == "A's runs have 2 different machines as client");
  auto nowhere = results_of({1});
  nowhere.runs[0].hosts.clear();
  CHECK(compare(nowhere, nowhere, {}).value().unlike.at(0) == "neither says on which machine it ran");
  CHECK(compare(nowhere, a, {}).value().unlike.at(0) == "only B has a client");
}

}  // namespace
}  // namespace lw
