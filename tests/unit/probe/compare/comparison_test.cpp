#include "probe/compare/comparison.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

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
  CHECK(verdict(rate_of(alike)).starts_with("no difference shown: A is lower by 16.7 % ("));
  const auto few = compare(results_of({1, 2, 3}), results_of({7, 8, 9}), {"gbit_per_s"}).value();
  CHECK(few.count() == 1);
  CHECK(verdict(rate_of(few)) ==
        "no difference shown, too few runs: with 3 and 3, p cannot be below 0.1; 4 of each could suffice");
}

TEST_CASE("p is adjusted for all figures that can differ") {
  // Five differing rates, and similar jitters: two figures of three, as the loss is 0 in all runs.
  auto a = results_of({10.3, 10.4, 10.5, 10.6, 10.7}), b = results_of({10.0, 10.01, 10.02, 10.03, 10.04});
  for (std::size_t i = 0; i < 5; ++i) {
    a.runs[i].figures["jitter_us"] = 3 + 0.2 * static_cast<double>(i);
    b.runs[i].figures["jitter_us"] = 3.1 + 0.2 * static_cast<double>(i);
  }
  const auto out = compare(a, b, {}).value();
  CHECK(rate_of(out).counted == 2);
  CHECK(rate_of(out).adjusted.p == Approx(4.0 / 252));
  CHECK(rate_of(out).test.above == 1);
  CHECK(verdict(rate_of(out)) == "A is faster by 4.79 % (2.79 to 6.79 %), adjusted p = 0.016");
  const auto text = comparison_text(out);
  CHECK(text.find("p is adjusted (Holm) for 2 figures of 3; the others have too few runs") != std::string::npos);
  CHECK(text.find("a probability of 93.8 % (5 runs: least to greatest)") != std::string::npos);
  CHECK(text.find("Intervals of differences: at least 95 % each.") != std::string::npos);
  CHECK(rate_of(out).shift.interval.coverage >= 0.95);
  const auto json = comparison_json(out);
  CHECK(json["figures_counted"] == 2);
  CHECK(json["points"][0]["figures"]["gbit_per_s"]["a_above_b"] == 1);

  for (std::size_t i = 0; i < 5; ++i)
    for (const auto* name : {"c", "d", "e", "f", "g", "h"})
      a.runs[i].figures[name] = b.runs[i].figures[name] = static_cast<double>(i);
  // 2/252 for 8 figures is 0.063; with one more run of each, 2/924 is 0.017.
  const auto many = compare(a, b, {}).value();
  const auto& rate = many.points.at(0).figures.at(5);
  CHECK(rate.figure == "gbit_per_s");
  CHECK_FALSE(rate.differs());
  CHECK(verdict(rate) ==
        "no difference shown, too few runs: with 5 and 5, p cannot be below 0.0079, adjusted 0.063; 6 of each could "
        "suffice");
  CHECK(comparison_json(many)["points"][0]["figures"]["gbit_per_s"]["runs_needed"] == 6);
}

TEST_CASE("no more comparisons have a false verdict than claimed") {
  // Six figures that depend on each other, two of them with ties; equal distributions on both sides.
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  constexpr int trials = 2000;
  int with_false = 0;
  for (int trial = 0; trial < trials; ++trial) {
    auto a = results_of({0, 0, 0, 0, 0, 0, 0}), b = results_of({0, 0, 0, 0, 0, 0, 0, 0});
    for (auto* side : {&a, &b})
      for (auto& run : side->runs) {
        const double common = normal(random);
        run.figures = {{"c", common},
                       {"d", common + normal(random)},
                       {"e", normal(random)},
                       {"f", -common + 0.1 * normal(random)},
                       {"g", std::round(normal(random))},
                       {"h", random() % 4 == 0 ? 1.0 : 0.0}};
      }
    const auto out = compare(a, b, {}).value();
    with_false += std::ranges::any_of(out.points.at(0).figures, &FigureComparison::differs) ? 1 : 0;
  }
  INFO("with a false verdict, of " << trials << ": " << with_false);
  CHECK(with_false <= 0.05 * trials + 3.09 * std::sqrt(0.05 * 0.95 * trials));
}

TEST_CASE("ties do not make a difference of too few runs") {
  const auto out = compare(results_of({0, 0, 0}), results_of({1, 1, 1}), {"gbit_per_s"}).value();
  CHECK_FALSE(rate_of(out).differs());
  CHECK(rate_of(out).test.p == Approx(0.1));
  CHECK(verdict(rate_of(out)) ==
        "no difference shown, too few runs: with 3 and 3, some equal, p cannot be below 0.1; 4 of each could suffice");
}

TEST_CASE("the direction of a difference is known where the median difference is 0") {
  const auto out = compare(results_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                           results_of({0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 5}), {"gbit_per_s"})
                       .value();
  CHECK(rate_of(out).shift.estimate == 0);
  CHECK(rate_of(out).differs());
  CHECK(verdict(rate_of(out)).starts_with("A is slower by 0 ("));
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
  CHECK(comparison_text(out).starts_with("SETTINGS DIFFER"));

  auto mixed = results_of({1});
  mixed.runs.push_back(run_of(6, 2, "6.6"));
  CHECK(compare(mixed, a, {}).value().unlike.at(0) == "A's runs have 2 different machines as client");
  auto nowhere = results_of({1});
  nowhere.runs[0].hosts.clear();
  CHECK(compare(nowhere, nowhere, {}).value().unlike.at(0) == "neither names the machine on which it ran");
  CHECK(compare(nowhere, a, {}).value().unlike.at(0) == "only B has a client");
}

}  // namespace
}  // namespace lw
