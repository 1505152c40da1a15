// What the flows of a traced load of bursts did over time: a row for each flow, a colour for each stage.
#include "probe/report/drawing.h"
#include "probe/report/figure_text.h"
#include "probe/report/gnuplot.h"
#include "probe/report/script.h"
#include "probe/report/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace lw {
namespace {

struct NamedStage {
  std::string_view stage, name;
};
constexpr std::array named_stages{NamedStage{"write", "write"}, NamedStage{"answer", "wait for the answer"},
                                  NamedStage{"compute", "compute"}, NamedStage{"barrier", "wait at the barrier"}};
constexpr std::size_t boxes_max = 6000;  // in a plot

using Flows = std::vector<const ResultFlow*>;

Flows traced_flows(const ProbeResult& run) {
  Flows flows;
  for (const auto& flow : run.flows)
    if (!flow.timeline.empty()) flows.push_back(&flow);
  return flows;
}

// The last burst whose stages fit into a plot, of all flows.
unsigned last_burst_shown(const Flows& flows) {
  std::vector<unsigned> bursts;
  for (const auto* flow : flows)
    for (const auto& stage : flow->timeline) bursts.push_back(stage.burst);
  std::ranges::sort(bursts);
  if (bursts.size() <= boxes_max) return bursts.back();
  return std::max(bursts[boxes_max], 1U) - 1;  // the burst of the first box too many is cut off
}

// A box of gnuplot: its centre, and its four sides.
Script::Row box(const ResultStage& stage, double row) {
  constexpr double half = 0.4;
  return {(stage.begin_s + stage.end_s) / 2, row, stage.begin_s, stage.end_s, row - half, row + half};
}

Table table_of(const PointRuns& runs, const ProbeResult& run, const Flows& flows) {
  Table data{{}, {}};
  for (const auto& [key, value] : runs.point) data.heads.push_back(key);
  for (const auto* head : {"run", "flow", "burst", "stage", "begin_s", "end_s"}) data.heads.emplace_back(head);
  for (const auto* flow : flows)
    for (const auto& stage : flow->timeline) {
      auto& row = data.rows.emplace_back();
      for (const auto& [key, at] : runs.point) row.push_back(to_text(at));
      row.insert(row.end(), {std::to_string(run.run), std::to_string(flow->flow), std::to_string(stage.burst),
                             stage.stage, to_text(stage.begin_s), to_text(stage.end_s)});
    }
  return data;
}

std::string script_of(const Flows& flows, unsigned last_burst) {
  Script script({860, static_cast<unsigned>(160 + 22 * std::min<std::size_t>(flows.size(), 64))});
  script.x_label("time, s");
  script.key(named_stages);
  std::vector<std::string> labels;
  labels.reserve(flows.size());
  for (const auto* flow : flows) labels.push_back(fmt::format("flow {}", flow->flow));
  script.categories(labels, "y");
  script.add("set xrange [0:*] noextend\nset style fill solid noborder");
  for (std::size_t i = 0; i < named_stages.size(); ++i) {
    std::vector<Script::Row> rows;
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
      for (const auto& stage : flows[flow]->timeline)
        if (stage.stage == named_stages[i].stage && stage.burst <= last_burst)
          rows.push_back(box(stage, static_cast<double>(flow)));
    if (rows.empty()) continue;
    script.plot(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror lc rgb '{}' title {}", script.data(rows),
                            look(i).colour, gnuplot_text(named_stages[i].name)));
  }
  return script.empty() ? "" : script.text();
}

std::string note_of(const ProbeResult& run, const Flows& flows, unsigned last_burst) {
  std::string note;
  const auto more = std::ranges::any_of(flows, [&](const ResultFlow* flow) {
    return std::ranges::any_of(flow->timeline, [&](const ResultStage& stage) { return stage.burst > last_burst; });
  });
  if (more) note = fmt::format("Only the first {} bursts are drawn.", last_burst);
  if (run.calls_missing > 0)
    note += fmt::format("{}{:.0f} calls are missing: their records did not fit.", note.empty() ? "" : " ",
                        run.calls_missing);
  return note;
}

}  // namespace

std::vector<Drawing> timeline_drawings(const Results& results, const ResultPlot& plot) {
  std::vector<Drawing> drawings;
  for (const auto& runs : points_of(results)) {
    const auto* run = median_run(runs, plot.y.empty() ? "message_us_mean" : plot.y);
    if (run == nullptr && !runs.counting.empty()) run = runs.counting.front();
    if (run == nullptr || drawings.size() >= pictures_max) continue;
    const auto flows = traced_flows(*run);
    if (flows.empty()) continue;
    const auto last_burst = last_burst_shown(flows);
    drawings.push_back({.title = name_without(results, runs.point, {}),
                        .script = script_of(flows, last_burst),
                        .note = note_of(*run, flows, last_burst),
                        .data = table_of(runs, *run, flows),
                        .shown = {}});
  }
  return drawings;
}

}  // namespace lw
