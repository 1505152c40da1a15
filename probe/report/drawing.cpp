#include "probe/report/drawing.h"

#include "probe/report/figure_text.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw {

std::vector<Drawing> drawings_of(const Results& results, const ResultPlot& plot) {
  switch (plot.kind) {
    case PlotKind::line:
      return line_drawings(results, plot);
    case PlotKind::box:
      return box_drawings(results, plot);
    case PlotKind::bars:
      return bar_drawings(results, plot);
    case PlotKind::map:
      return map_drawings(results, plot);
    case PlotKind::time:
      return time_drawings(results, plot);
    case PlotKind::cpus:
      return cpu_drawings(results, plot);
    case PlotKind::table:
      return table_drawings(results, plot);
    case PlotKind::cdf:
      return cdf_drawings(results, plot);
    case PlotKind::timeline:
      return timeline_drawings(results, plot);
  }
  return {};
}

std::string legend_of(PlotKind kind) {
  switch (kind) {
    case PlotKind::line:
    case PlotKind::bars:
      return "Medians of the runs with their intervals; faint: single runs; hollow: marked runs, which do not "
             "count.";
    case PlotKind::box:
      return "Boxes: quartiles and median; whiskers: to the last value within 1.5 times the box; points: beyond.";
    case PlotKind::map:
      return "Medians of the runs.";
    case PlotKind::time:
      return "Of each point of the sweep, the run with the median figure; by the receiver's intervals.";
    case PlotKind::cpus:
      return "Shares of the run's time, mean of the runs; what is left to 100 % is idle.";
    case PlotKind::table:
      return "Medians of the runs with their intervals.";
    case PlotKind::cdf:
      return "Share of the values that are no larger.";
    case PlotKind::timeline:
      return "What the thread of each flow did over time, in the run with the median duration of a burst. White: the "
             "host ran other "
             "threads.";
  }
  return {};
}

std::vector<ResultPlot> usual_plots(const Results& results) {
  std::vector<ResultPlot> plots;
  const auto add = [&](PlotKind kind, const char* title) -> ResultPlot& {
    auto& plot = plots.emplace_back();
    plot.kind = kind;
    plot.title = title;
    return plot;
  };
  const auto any = [&](auto has) { return std::ranges::any_of(results.runs, has); };
  const auto has_intervals = [](const ResultFlow& flow) { return !flow.intervals.empty(); };
  const auto has_cpus = [](const ResultHost& host) { return !host.cpus.empty(); };
  if (any([&](const ProbeResult& run) { return std::ranges::any_of(run.flows, has_intervals); }))
    add(PlotKind::time, "Throughput over time");
  if (any([&](const ProbeResult& run) { return std::ranges::any_of(run.hosts, has_cpus); }))
    add(PlotKind::cpus, "CPUs");
  std::set<std::string> columns;
  for (const auto& run : results.runs)
    for (const auto& [name, figure] : run.figures) columns.insert(name);
  if (!columns.empty()) add(PlotKind::table, "Figures").columns.assign(columns.begin(), columns.end());
  return plots;
}

std::string key_note(std::size_t names) {
  return names > names_in_key_max ? fmt::format("{} curves are too many to name: the CSV does.", names) : "";
}

std::string median_text(const std::vector<double>& values) {
  const auto figure = median_figure(values);
  if (!figure) return {};
  auto text = figure_text(figure->median);
  if (!figure->interval || figure->interval->low == figure->interval->high) return text;
  return fmt::format("{} ({} to {})", text, figure_text(figure->interval->low), figure_text(figure->interval->high));
}

}  // namespace lw
