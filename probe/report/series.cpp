#include "probe/report/series.h"

#include "probe/report/figure_text.h"
#include "probe/report/quantity.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lw {
namespace {

ValueGroup& group_of(std::vector<Series>& all, const std::string& name, const AxisValue& x) {
  auto series = std::ranges::find(all, name, &Series::name);
  if (series == all.end()) series = all.insert(all.end(), {name, {}});
  auto group = std::ranges::find(series->groups, x, &ValueGroup::x);
  if (group == series->groups.end()) group = series->groups.insert(series->groups.end(), {x, {}, {}, {}});
  return *group;
}

AxisValue value_along(const Point& point, const std::string& axis) {
  const auto found = point.find(axis);
  return found == point.end() ? AxisValue{std::string()} : found->second;
}

}  // namespace

std::string name_without(const Results& results, const Point& point, const std::vector<std::string>& left_out) {
  std::string name;
  for (const auto& axis : results.experiment.axes) {
    const auto value = point.find(axis.key);
    if (value == point.end() || std::ranges::find(left_out, axis.key) != left_out.end()) continue;
    const bool is_number = std::holds_alternative<double>(value->second);
    name += (name.empty() ? "" : ", ") + (is_number ? label_of(axis) + " " : "") + value_text(axis, value->second);
  }
  return name;
}

std::string axis_label(const Results& results, const std::string& key) {
  const auto* axis = results.experiment.find_axis(key);
  return axis != nullptr ? label_of(*axis) : key;
}

std::string_view tick_unit(std::string_view key) {
  const auto unit = figure_unit(key);
  return has_prefixes(unit) ? unit : std::string_view();
}

std::string label_of(const ResultAxis& axis) {
  constexpr std::string_view in_bytes = " in bytes";
  const bool has_unit = tick_unit(axis.key) == "bytes" && axis.label.ends_with(in_bytes);
  return has_unit ? axis.label.substr(0, axis.label.size() - in_bytes.size()) : axis.label;
}

std::string value_text(const ResultAxis& axis, const AxisValue& value) {
  const auto unit = tick_unit(axis.key);
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && !unit.empty() ? quantity_text(*number, unit) : to_text(value);
}

std::vector<Series> series_of(const Results& results, const ResultPlot& plot, const std::string& x,
                              const std::string& figure) {
  std::vector<Series> all;
  std::map<std::pair<std::string, AxisValue>, std::vector<double>> of_run;  // by name and position
  const auto add = [&](const ProbeResult& run, const NamedFigures& figures, const std::string& name,
                       const AxisValue& at) {
    const auto found = figures.find(figure);
    if (found == figures.end() || !run.complete) return;
    auto& group = group_of(all, name, at);
    (run.counts() ? group.values : group.marked).push_back(found->second);
    if (run.counts()) of_run[{name, at}].push_back(found->second);
  };
  for (const auto& run : results.runs) {
    of_run.clear();
    const auto name = name_without(results, run.point, {x});
    if (!plot.flows) add(run, run.figures, name, value_along(run.point, x));
    for (const auto& flow : run.flows) {
      if (!plot.flows) break;
      const AxisValue number = static_cast<double>(flow.flow);
      const auto flow_name = fmt::format("{}{}flow {}", name, name.empty() ? "" : ", ", flow.flow);
      add(run, flow.figures, plot.by == flow_axis ? flow_name : name,
          x == flow_axis ? number : value_along(run.point, x));
    }
    for (const auto& [place, values] : of_run)
      group_of(all, place.first, place.second).of_runs.push_back(quantile(sorted(values), 0.5));
  }
  return all;
}

}  // namespace lw
