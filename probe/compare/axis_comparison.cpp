// compare_by(): compares the points of one sweep.
#include "probe/compare/comparison.h"
#include "probe/compare/likeness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace lw {
namespace {

using Points = std::vector<const PointRuns*>;

// Points that differ in the axis only, in the order of its values; grouped by the values of the other axes.
std::vector<std::pair<Point, Points>> groups_of(const std::vector<PointRuns>& points, const std::string& axis) {
  std::vector<std::pair<Point, Points>> groups;
  std::map<Point, std::size_t> known;
  for (const auto& runs : points) {
    auto others = runs.point;
    if (others.erase(axis) == 0) continue;
    const auto [at, is_new] = known.emplace(others, groups.size());
    if (is_new) groups.push_back({others, {}});
    groups[at->second].second.push_back(&runs);
  }
  return groups;
}

std::map<unsigned, double> by_repetition(const PointRuns& runs, const std::string& figure) {
  std::map<unsigned, double> values;
  for (const auto* run : runs.counting)
    if (const auto found = run->figures.find(figure); found != run->figures.end())
      values[run->repetition] = found->second;
  return values;
}

struct Sides {
  std::vector<double> a, b;
};

// A repetition in which only one of the two counts says nothing about their difference.
Sides pairs_of(const PointRuns& a, const PointRuns& b, const std::string& figure) {
  Sides sides;
  const auto of_b = by_repetition(b, figure);
  for (const auto& [repetition, value] : by_repetition(a, figure)) {
    const auto other = of_b.find(repetition);
    if (other == of_b.end()) continue;
    sides.a.push_back(value);
    sides.b.push_back(other->second);
  }
  return sides;
}

PointComparison compare_two(const PointPair& pair, const Point& others, const std::string& axis,
                            const std::vector<std::string>& figures, bool paired) {
  PointComparison out{others, {}, {{axis, pair.a->point.at(axis)}}, {{axis, pair.b->point.at(axis)}}};
  for (const auto& name : figures_of(*pair.a, figures)) {
    const auto sides =
        paired ? pairs_of(*pair.a, *pair.b, name) : Sides{values_of(*pair.a, name), values_of(*pair.b, name)};
    if (!sides.a.empty() && !sides.b.empty()) out.figures.push_back(compare_values(name, sides.a, sides.b, paired));
  }
  return out;
}

Error no_axis(const Results& results, const std::string& axis) {
  std::vector<std::string> keys;
  for (const auto& known : results.experiment.axes) keys.push_back(known.key);
  return {fmt::format("{} has no axis {}", results.place.string(), axis),
          keys.empty() ? "name the directory of a sweep with an axis"
                       : fmt::format("name one of its axes: {}", fmt::join(keys, ", "))};
}

}  // namespace

Result<Comparison> compare_by(const Results& results, const std::string& axis,
                              const std::vector<std::string>& figures) {
  if (results.experiment.find_axis(axis) == nullptr) return no_axis(results, axis);
  Comparison out;
  out.axis = axis;
  out.paired = ran_in_blocks(results);
  out.left_out_a = left_out(results);
  const auto points = points_of(results);
  std::vector<PointPair> pairs;
  for (const auto& runs : points)
    if (const auto few_enough = check_run_count(runs); !few_enough) return few_enough.error();
  for (const auto& [others, group] : groups_of(points, axis))
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        pairs.push_back({group[i], group[j]});
        auto compared = compare_two(pairs.back(), others, axis, figures, out.paired);
        if (!compared.figures.empty()) out.points.push_back(std::move(compared));
      }
  if (pairs.empty())
    return Error{fmt::format("no points of the sweep differ in {} only", axis),
                 "compare by an axis of which at least two values have been measured"};
  if (out.points.empty())
    return Error{"no two points have a figure in common" +
                     std::string(figures.empty() ? ", of runs that count" : " of those that were named"),
                 "complete the sweep, or name other figures"};
  if (axis != variant_axis) out.unlike = unlike_machines(pairs);  // hosts differ on purpose
  adjust(out);
  return out;
}

}  // namespace lw
