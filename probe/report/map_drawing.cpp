// Heat maps: a figure at every pair of two axes' values.
#include "common/base/counted.h"
#include "probe/report/drawing.h"
#include "probe/report/figure_text.h"
#include "probe/report/gnuplot.h"
#include "probe/report/quantity.h"
#include "probe/report/script.h"
#include "probe/report/series.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t labelled_columns_max = 16;  // a number fits into a cell
// Viridis: its brightness rises evenly, so that it is readable in grey and by colour-blind people.
constexpr const char* palette =
    "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', "
    "7 '#6ece58', 8 '#b5de2b', 9 '#fde725')";

struct Cell {
  std::size_t x = 0, y = 0;
  double value = 0;
  std::size_t runs = 0;
};

struct Map {
  std::string name;  // the values of the other axes
  std::vector<Cell> cells;
};

std::optional<std::size_t> place(const ResultAxis& axis, const Point& point) {
  const auto value = point.find(axis.key);
  if (value == point.end()) return std::nullopt;
  return std::ranges::find(axis.values, value->second) - axis.values.begin();
}

std::vector<Map> maps_of(const Results& results, const ResultPlot& plot, const ResultAxis& x, const ResultAxis& y) {
  std::vector<Map> maps;
  for (const auto& runs : points_of(results)) {
    const auto column = place(x, runs.point), row = place(y, runs.point);
    const auto figure = median_figure(values_of(runs, plot.z));
    if (!column || !row || !figure) continue;
    const auto name = name_without(results, runs.point, {plot.x, plot.y});
    auto map = std::ranges::find(maps, name, &Map::name);
    if (map == maps.end()) map = maps.insert(maps.end(), {name, {}});
    map->cells.push_back({*column, *row, figure->median, figure->runs});
  }
  return maps;
}

std::vector<std::string> labels_of(const ResultAxis& axis) {
  std::vector<std::string> labels;
  for (const auto& value : axis.values) labels.push_back(value_text(axis, value));
  return labels;
}

// Each value in its cell, dark on bright or bright on dark.
void plot_values(Script& script, const Map& map, double least, double greatest) {
  for (const auto& cell : map.cells) {
    const bool is_bright = greatest > least && (cell.value - least) / (greatest - least) > 0.6;
    script.add(fmt::format("set label {} at {},{} center front textcolor rgb '{}'",
                           gnuplot_text(figure_text(cell.value)), cell.x, cell.y, is_bright ? "#101010" : "#f8f8f8"));
  }
}

Drawing drawing(const Results& results, const ResultPlot& plot, const ResultAxis& x, const ResultAxis& y,
                const Map& map, double least, double greatest) {
  const auto height = static_cast<unsigned>(std::clamp<std::size_t>(150 + y.values.size() * 34, 320, 900));
  Script script({.width = 860, .height = height});
  script.add("unset grid");
  script.add(palette);
  script.add(fmt::format("set cbrange [{}:{}]", least, greatest > least ? greatest : least + 1));
  script.add(fmt::format("set colorbox user origin 0.9,0.2 size 0.02,0.65\nset cbtics textcolor rgb '{}'", ink));
  script.add(fmt::format("set cblabel {} textcolor rgb '{}'", gnuplot_text(figure_label(plot.z)), ink));
  script.add("set rmargin at screen 0.87\nset cbtics scale 0");
  script.x_label(!plot.x_label.empty() ? plot.x_label : axis_label(results, plot.x));
  script.y_label(!plot.y_label.empty() ? plot.y_label : axis_label(results, plot.y));
  script.categories(labels_of(x));
  script.categories(labels_of(y), "y");
  script.add("set autoscale fix");
  script.add(fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]", static_cast<double>(x.values.size()) - 0.5,
                         static_cast<double>(y.values.size()) - 0.5));
  Table data{{plot.x, plot.y, plot.z, "runs"}, {}};
  std::vector<Script::Row> rows;
  for (const auto& cell : map.cells) {
    rows.push_back({static_cast<double>(cell.x), static_cast<double>(cell.y), cell.value});
    script.hover(static_cast<double>(cell.x), static_cast<double>(cell.y),
                 fmt::format("{} {}, {} {}: {} ({})", label_of(x), value_text(x, x.values[cell.x]), label_of(y),
                             value_text(y, y.values[cell.y]), quantity_text(cell.value, figure_unit(plot.z)),
                             counted(cell.runs, "run")));
    data.rows.push_back(
        {to_text(x.values[cell.x]), to_text(y.values[cell.y]), to_text(cell.value), std::to_string(cell.runs)});
  }
  if (x.values.size() <= labelled_columns_max) plot_values(script, map, least, greatest);
  script.plot(
      fmt::format("{} using 1:2:(0.5):(0.5):3 with boxxyerror fs solid 1 noborder lc palette", script.data(rows)));
  return {
      .title = map.name, .script = script.text(), .data = std::move(data), .shown = {}, .hovers = script.hover_texts()};
}

}  // namespace

std::vector<Drawing> map_drawings(const Results& results, const ResultPlot& plot) {
  const auto* x = results.experiment.find_axis(plot.x);
  const auto* y = results.experiment.find_axis(plot.y);
  if (x == nullptr || y == nullptr) return {};
  const auto maps = maps_of(results, plot, *x, *y);
  if (maps.empty()) return {};
  // One scale for all, so that maps are comparable.
  double least = maps.front().cells.front().value, greatest = least;
  for (const auto& map : maps)
    for (const auto& cell : map.cells) {
      least = std::min(least, cell.value);
      greatest = std::max(greatest, cell.value);
    }
  std::vector<Drawing> drawings;
  for (const auto& map : maps)
    if (drawings.size() < pictures_max) drawings.push_back(drawing(results, plot, *x, *y, map, least, greatest));
  return drawings;
}

}  // namespace lw
