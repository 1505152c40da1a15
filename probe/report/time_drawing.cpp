// A figure over the time of a run: every flow, and their sum if the figure adds up.
#include "probe/report/drawing.h"
#include "probe/report/figure_text.h"
#include "probe/report/flow_sum.h"
#include "probe/report/gnuplot.h"
#include "probe/report/script.h"
#include "probe/report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw {
namespace {

std::string name_of(const ResultFlow& flow, bool with_load, bool with_direction) {
  auto name = fmt::format("flow {}", flow.flow);
  if (with_load && !flow.load.empty()) name += ", " + flow.load;
  if (with_direction && !flow.direction.empty()) name += ", " + flow.direction;
  return name;
}

struct Curve {
  std::string name;
  std::vector<TimedValue> values;
  bool is_sum = false;
};

std::vector<Curve> curves_of(const ProbeResult& run, const std::string& figure) {
  std::set<std::string> loads, directions;
  for (const auto& flow : run.flows) {
    loads.insert(flow.load);
    directions.insert(flow.direction);
  }
  std::vector<Curve> curves;
  for (const auto& flow : run.flows) {
    auto values = values_over_time(flow, figure);
    if (!values.empty()) curves.push_back({name_of(flow, loads.size() > 1, directions.size() > 1), std::move(values)});
  }
  if (!adds_up(figure) || curves.size() < 2) return curves;
  for (const auto& direction : directions) {
    std::vector<const ResultFlow*> flows;
    for (const auto& flow : run.flows)
      if (flow.direction == direction) flows.push_back(&flow);
    auto sum = sum_over_time(flows, figure);
    if (!sum.empty()) curves.push_back({directions.size() > 1 ? "sum, " + direction : "sum", std::move(sum), true});
  }
  return curves;
}

// The rate of each load's flows in one direction: its own sum, and the sum with all loads below it.
struct Layer {
  std::string name;
  std::vector<TimedValue> own, stacked;
};

std::vector<Layer> layers_of(const ProbeResult& run, const std::string& figure, const std::string& direction) {
  std::vector<std::string> loads;
  for (const auto& flow : run.flows)
    if (flow.direction == direction && std::ranges::find(loads, flow.load) == loads.end()) loads.push_back(flow.load);
  std::vector<Layer> layers;
  std::vector<const ResultFlow*> all;
  for (const auto& load : loads) {
    std::vector<const ResultFlow*> own;
    for (const auto& flow : run.flows)
      if (flow.direction == direction && flow.load == load) own.push_back(&flow);
    all.insert(all.end(), own.begin(), own.end());
    Layer layer{load, sum_over_time(own, figure), sum_over_time(all, figure)};
    if (!layer.own.empty()) layers.push_back(std::move(layer));
  }
  return layers;
}

std::pair<double, double> range_of(const std::vector<Curve>& curves) {
  double least = INFINITY, greatest = -INFINITY;
  for (const auto& curve : curves)
    for (const auto& value : curve.values) {
      least = std::min(least, value.value);
      greatest = std::max(greatest, value.value);
    }
  return {least, greatest};
}

double end_of(const std::vector<Curve>& curves) {
  double end_s = 0;
  for (const auto& curve : curves) end_s = std::max(end_s, curve.values.back().end_s);
  return end_s;
}

Drawing drawing(const ResultPlot& plot, const std::string& figure, const PointRuns& runs, const ProbeResult& run,
                const std::vector<Curve>& curves, const std::string& name) {
  Script script({});
  script.x_label(plot.x_label.empty() ? "time, s" : plot.x_label);
  script.y_label(plot.y_label.empty() ? figure_label(figure) : plot.y_label);
  if (curves.size() <= names_in_key_max) script.key(curves);
  const auto [least, greatest] = range_of(curves);
  script.y_from_zero(least, greatest);
  if (const double end_s = end_of(curves); end_s > 0) script.add(fmt::format("set xrange [0:{}]", end_s));
  Table data{{}, {}};
  for (const auto& [key, value] : runs.point) data.heads.push_back(key);
  for (const auto* head : {"run", "series", "begin_s", "end_s"}) data.heads.emplace_back(head);
  data.heads.push_back(figure);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Script::Row> rows;
    for (const auto& value : curves[i].values) {
      rows.push_back({(value.begin_s + value.end_s) / 2, value.value});
      auto& row = data.rows.emplace_back();
      for (const auto& [key, at] : runs.point) row.push_back(to_text(at));
      row.insert(row.end(), {std::to_string(run.run), curves[i].name, to_text(value.begin_s), to_text(value.end_s),
                             to_text(value.value)});
    }
    const auto line = curves[i].is_sum ? fmt::format("lc rgb '{}' lw 2.4 dt {}", ink, i % 2 + 1) : look(i).line();
    const auto with = rows.size() <= 60 ? fmt::format("linespoints pt {} ps 0.5", look(i).filled) : "lines";
    script.plot(fmt::format("{} using 1:2 with {} {} title {}", script.data(rows), with, line,
                            gnuplot_text(shortened(curves[i].name))));
  }
  return {
      .title = name, .script = script.text(), .note = key_note(curves.size()), .data = std::move(data), .shown = {}};
}

// Loads stacked on top of each other, as in the paper's live traffic: the uppermost line is the sum.
Drawing layered(const ResultPlot& plot, const std::string& figure, const PointRuns& runs, const ProbeResult& run,
                const std::vector<Layer>& layers, const std::string& name) {
  Script script({});
  script.x_label(plot.x_label.empty() ? "time, s" : plot.x_label);
  script.y_label(plot.y_label.empty() ? figure_label(figure) : plot.y_label);
  script.key(layers);
  double greatest = 0;
  for (const auto& value : layers.back().stacked) greatest = std::max(greatest, value.value);
  script.y_from_zero(0, greatest);
  script.add(fmt::format("set xrange [0:{}]", layers.back().stacked.back().end_s));
  Table data{{}, {}};
  for (const auto& [key, value] : runs.point) data.heads.push_back(key);
  for (const auto* head : {"run", "load", "begin_s", "end_s"}) data.heads.emplace_back(head);
  data.heads.push_back(figure);
  for (const auto& layer : layers)
    for (const auto& value : layer.own) {
      auto& row = data.rows.emplace_back();
      for (const auto& [key, at] : runs.point) row.push_back(to_text(at));
      row.insert(row.end(), {std::to_string(run.run), layer.name, to_text(value.begin_s), to_text(value.end_s),
                             to_text(value.value)});
    }
  for (std::size_t i = layers.size(); i-- > 0;) {  // the lowest last: it covers what is behind it
    std::vector<Script::Row> rows;
    for (const auto& value : layers[i].stacked) {  // steps: a rate belongs to its interval
      rows.push_back({value.begin_s, value.value});
      rows.push_back({value.end_s, value.value});
    }
    script.plot(fmt::format("{} using 1:2 with filledcurves y=0 lc rgb '{}' title {}", script.data(rows),
                            look(i).colour, gnuplot_text(shortened(layers[i].name))));
  }
  return {.title = name, .script = script.text(), .note = {}, .data = std::move(data), .shown = {}};
}

void add_layered(const Results& results, const ResultPlot& plot, const std::string& figure, const PointRuns& runs,
                 const ProbeResult& run, std::vector<Drawing>& drawings) {
  std::set<std::string> directions;
  for (const auto& flow : run.flows) directions.insert(flow.direction);
  for (const auto& direction : directions) {
    const auto layers = layers_of(run, figure, direction);
    if (layers.empty() || drawings.size() >= pictures_max) continue;
    auto name = name_without(results, runs.point, {});
    if (directions.size() > 1) name += (name.empty() ? "" : ", ") + direction;
    drawings.push_back(layered(plot, figure, runs, run, layers, name));
  }
}

}  // namespace

std::vector<Drawing> time_drawings(const Results& results, const ResultPlot& plot) {
  const std::string figure = plot.y.empty() ? "gbit_per_s" : plot.y;
  std::vector<Drawing> drawings;
  for (const auto& runs : points_of(results)) {
    const auto* run = median_run(runs, figure);
    if (run == nullptr && !runs.counting.empty()) run = runs.counting.front();
    if (run == nullptr || drawings.size() >= pictures_max) continue;
    if (plot.by == load_axis && adds_up(figure)) {
      add_layered(results, plot, figure, runs, *run, drawings);
      continue;
    }
    const auto curves = curves_of(*run, figure);
    if (!curves.empty())
      drawings.push_back(drawing(plot, figure, runs, *run, curves, name_without(results, runs.point, {})));
  }
  return drawings;
}

}  // namespace lw
