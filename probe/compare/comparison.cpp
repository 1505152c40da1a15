#include "probe/compare/comparison.h"

#include "probe/compare/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw {
namespace {

constexpr const char* mend = "compare results of the same experiment, or name other figures";

Result<PointComparison> compare_point(const PointRuns& a, const PointRuns& b, const std::vector<std::string>& figures) {
  for (const auto* side : {&a, &b})
    if (const auto few_enough = check_run_count(*side); !few_enough) return few_enough.error();
  PointComparison out{a.point, {}};
  for (const auto& name : figures_of(a, figures)) {
    const auto of_a = values_of(a, name), of_b = values_of(b, name);
    if (!of_a.empty() && !of_b.empty()) out.figures.push_back(compare_values(name, of_a, of_b, false));
  }
  return out;
}

}  // namespace

LeftOut left_out(const Results& results) {
  LeftOut out;
  for (const auto& run : results.runs) {
    out.incomplete += run.complete ? 0 : 1;
    out.marked += run.complete && !run.marks.empty() ? 1 : 0;
  }
  return out;
}

std::vector<std::string> figures_of(const PointRuns& runs, const std::vector<std::string>& wanted) {
  // Every counted figure requires more runs: figures of the median flow count in addition to those of the worst.
  const auto is_usual = [](const std::string& name) {
    return !name.ends_with("_median") && !name.ends_with("flow_loss_max");
  };
  std::set<std::string> names;
  for (const auto* run : runs.counting)
    for (const auto& [name, value] : run->figures)
      if ((wanted.empty() && is_usual(name)) || std::ranges::find(wanted, name) != wanted.end()) names.insert(name);
  return {names.begin(), names.end()};
}

Result<void> check_run_count(const PointRuns& runs) {
  if (runs.counting.size() <= ranked_values_max) return {};
  return Error{fmt::format("more than {} runs of one point ({})", ranked_values_max, to_text(runs.point)),
               "compare parts of them"};
}

FigureComparison compare_values(const std::string& figure, std::span<const double> a, std::span<const double> b,
                                bool paired) {
  return {figure,
          *median_figure(a),
          *median_figure(b),
          paired ? paired_shift(a, b) : shift_between(a, b),
          paired ? paired_rank_test(a, b) : rank_test(a, b),
          {}};
}

bool FigureComparison::differs() const { return at_most_alpha(adjusted.p, significance); }

std::size_t Comparison::count() const {
  std::size_t sum = 0;
  for (const auto& point : points) sum += point.figures.size();
  return sum;
}

void adjust(Comparison& comparison) {
  std::vector<FigureComparison*> figures;
  std::vector<TestedP> tests;
  for (auto& point : comparison.points)
    for (auto& figure : point.figures) {
      figures.push_back(&figure);
      tests.push_back({figure.test.p, figure.test.least_p});
    }
  const auto adjusted = holm(tests, significance);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    figures[i]->adjusted = adjusted.tests[i];
    figures[i]->counted = adjusted.counted;
  }
}

Result<Comparison> compare(const Results& a, const Results& b, const std::vector<std::string>& figures) {
  Comparison out;
  out.left_out_a = left_out(a);
  out.left_out_b = left_out(b);
  const auto points_a = points_of(a), points_b = points_of(b);
  std::vector<PointPair> pairs;
  for (const auto& runs : points_a) {
    const auto other = std::ranges::find(points_b, runs.point, &PointRuns::point);
    if (other == points_b.end())
      out.only_a.push_back(runs.point);
    else
      pairs.push_back({&runs, &*other});
  }
  for (const auto& runs : points_b)
    if (std::ranges::find(points_a, runs.point, &PointRuns::point) == points_a.end()) out.only_b.push_back(runs.point);
  if (pairs.empty()) return Error{"the two have no point of their sweeps in common", mend};
  for (const auto& pair : pairs) {
    auto compared = compare_point(*pair.a, *pair.b, figures);
    if (!compared) return compared.error();
    if (!compared->figures.empty()) out.points.push_back(std::move(*compared));
  }
  if (out.points.empty())
    return Error{"the two have no figure in common" +
                     std::string(figures.empty() ? ", of runs that count" : " of those that were named"),
                 mend};
  out.unlike = unlikeness(pairs);
  adjust(out);
  return out;
}

}  // namespace lw
