// Tables of figures: a row for each point of the sweep, or for each flow of each.
#include "probe/report/drawing.h"
#include "probe/report/figure_text.h"
#include "probe/report/series.h"
#include "probe/results/statistics.h"

#include <algorithm>
#include <map>

namespace lw {
namespace {

using Values = std::map<std::string, std::vector<double>>;  // by figure

void add(const NamedFigures& figures, const std::vector<std::string>& columns, Values& values) {
  for (const auto& column : columns)
    if (const auto found = figures.find(column); found != figures.end()) values[column].push_back(found->second);
}

// Each load and direction numbers its flows from 0.
struct FlowKey {
  std::string load, direction;
  unsigned flow = 0;
  auto operator<=>(const FlowKey&) const = default;
};

// By flow for a plot of flows; else all in one.
std::map<FlowKey, Values> rows_of(const PointRuns& runs, const ResultPlot& plot) {
  std::map<FlowKey, Values> rows;
  for (const auto* run : runs.counting) {
    if (!plot.flows) add(run->figures, plot.columns, rows[{}]);
    for (const auto& flow : run->flows)
      if (plot.flows) add(flow.figures, plot.columns, rows[{flow.load, flow.direction, flow.flow}]);
  }
  return rows;
}

// "0", or with what distinguishes it: "0, burst, forward".
std::string text_of(const FlowKey& key, const std::map<FlowKey, Values>& rows) {
  const auto differs = [&](auto member) {
    return std::ranges::any_of(rows, [&](const auto& row) { return row.first.*member != key.*member; });
  };
  std::string text = std::to_string(key.flow);
  if (differs(&FlowKey::load)) text += ", " + key.load;
  if (differs(&FlowKey::direction)) text += ", " + key.direction;
  return text;
}

// The axis by which rows are grouped goes first.
std::vector<const ResultAxis*> axes_of(const Results& results, const std::string& by) {
  std::vector<const ResultAxis*> axes;
  for (const auto& axis : results.experiment.axes) axes.push_back(&axis);
  std::stable_partition(axes.begin(), axes.end(), [&](const ResultAxis* axis) { return axis->key == by; });
  return axes;
}

// `for_people`: with units.
std::vector<std::string> place_texts(const std::vector<const ResultAxis*>& axes, const Point& point, bool for_people) {
  std::vector<std::string> texts;
  for (const auto* axis : axes) {
    const auto value = point.find(axis->key);
    if (value == point.end())
      texts.emplace_back();
    else
      texts.push_back(for_people ? value_text(*axis, value->second) : to_text(value->second));
  }
  return texts;
}

// Also collects the number of values behind each median.
void add_cells(const Values& values, const std::vector<std::string>& columns, std::vector<std::string>& numbers,
               std::vector<std::string>& texts, std::vector<std::size_t>& counts) {
  std::size_t runs = 0;
  for (const auto& column : columns) {
    const auto found = values.find(column);
    const auto of = found == values.end() ? std::vector<double>{} : found->second;
    const auto figure = median_figure(of);
    const auto interval = figure ? figure->interval : std::nullopt;
    numbers.insert(numbers.end(), {figure ? to_text(figure->median) : "", interval ? to_text(interval->low) : "",
                                   interval ? to_text(interval->high) : "", std::to_string(of.size())});
    texts.push_back(median_text(of));
    runs = std::max(runs, of.size());
    counts.push_back(of.size());
  }
  texts.push_back(std::to_string(runs));
}

std::vector<PointRuns> points_by(const Results& results, const std::string& by) {
  auto points = points_of(results);
  const auto* axis = results.experiment.find_axis(by);
  if (axis == nullptr) return points;
  std::ranges::stable_sort(points, {}, [&](const PointRuns& runs) {
    const auto value = runs.point.find(by);
    return value == runs.point.end() ? -1 : std::ranges::find(axis->values, value->second) - axis->values.begin();
  });
  return points;
}

}  // namespace

std::vector<Drawing> table_drawings(const Results& results, const ResultPlot& plot) {
  const auto axes = axes_of(results, plot.by);
  Drawing table;
  for (const auto* axis : axes) {
    table.data.heads.push_back(axis->key);
    table.shown.heads.push_back(label_of(*axis));
  }
  if (plot.flows)
    for (auto* to : {&table.data, &table.shown}) to->heads.emplace_back(flow_axis);
  for (const auto& column : plot.columns) {
    for (const auto* part : {"", "_low", "_high", "_runs"}) table.data.heads.push_back(column + part);
    table.shown.heads.push_back(figure_label(column));
  }
  table.shown.heads.emplace_back("runs");
  table.numbers_from = axes.size();
  std::vector<std::size_t> counts;
  for (const auto& runs : points_by(results, plot.by)) {
    const auto rows = rows_of(runs, plot);
    for (const auto& [flow, values] : rows) {
      auto& numbers = table.data.rows.emplace_back(place_texts(axes, runs.point, false));
      auto& texts = table.shown.rows.emplace_back(place_texts(axes, runs.point, true));
      if (plot.flows)
        for (auto* to : {&numbers, &texts}) to->push_back(text_of(flow, rows));
      add_cells(values, plot.columns, numbers, texts, counts);
    }
  }
  if (table.shown.rows.empty()) return {};
  table.note = coverage_text(counts);
  return {std::move(table)};
}

}  // namespace lw
