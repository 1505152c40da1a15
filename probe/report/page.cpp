#include "probe/report/page.h"

#include "probe/report/figure_text.h"
#include "probe/report/machine_page.h"
#include "probe/report/series.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw {
namespace {

constexpr const char* style = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59616b;--line:#d4d8dd;--back:#fff;--panel:#f5f6f8;--link:#00558a;--warn:#8a3b00}
@media (prefers-color-scheme:dark){:root{--ink:#e3e6ea;--soft:#a3abb5;--line:#3a4048;--back:#16191d;--panel:#1e2227;--link:#7cc4f5;--warn:#ffb27a}}
body{font:16px/1.5 sans-serif;color:var(--ink);background:var(--back);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.4rem 0 .6rem}h3{font-size:1rem;margin:1.4rem 0 .3rem}
a{color:var(--link)}p{margin:.4rem 0}.soft,figcaption{color:var(--soft);font-size:.87rem}.warn{color:var(--warn);font-weight:600}
figure{margin:1rem 0 0;break-inside:avoid}svg.plot{width:100%;height:auto;background:none}
table{border-collapse:collapse;font-size:.87rem}.wide{overflow-x:auto}th,td{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums;padding:.2rem 0 .2rem .9rem}
code,pre{font:.85rem/1.45 monospace;background:var(--panel)}code{overflow-wrap:anywhere}pre{padding:.6rem;overflow-x:auto}
summary{cursor:pointer}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--back:#fff;--panel:#fff;--link:#000;--warn:#000}body{font-size:10.5pt;max-width:none;margin:0}h2,h3{break-after:avoid}.wide{overflow:visible}}
)";

std::string heading(std::string_view text) { return fmt::format("<h2>{}</h2>\n", escaped(text)); }

std::string row(std::string_view head, const std::string& content) {
  if (content.empty()) return {};
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", head, content);
}

std::string axis_text(const ResultAxis& axis) {
  std::string values;
  for (const auto& value : axis.values) values += (values.empty() ? "" : ", ") + value_text(axis, value);
  return fmt::format("{}: {}", label_of(axis), values);
}

std::string dates(const Results& results) {
  std::set<std::string> began;
  for (const auto& run : results.runs)
    if (!run.began.empty()) began.insert(run.began);
  if (began.empty()) return {};
  return began.size() == 1 ? *began.begin() : *began.begin() + " to " + *began.rbegin();
}

std::string head_of(const Results& results) {
  const auto& experiment = results.experiment;
  const auto title = results.is_experiment ? experiment.title : "Results of wall-probe";
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escaped(title), style);
  if (!experiment.rows.empty())
    out += fmt::format("<p>Repeats {} of the papers' experiments.</p>\n",
                       escaped(fmt::format("{}", fmt::join(experiment.rows, ", "))));
  if (!experiment.saw.empty()) out += fmt::format("<p>The paper saw: {}</p>\n", escaped(experiment.saw));
  return out;
}

std::string counts_text(const Results& results) {
  std::size_t counted = 0, marked = 0, incomplete = 0;
  for (const auto& run : results.runs) ++(!run.complete ? incomplete : run.counts() ? counted : marked);
  auto out = fmt::format("{} counted, {} marked, {} incomplete", counted, marked, incomplete);
  const auto planned = results.experiment.runs_planned;
  if (planned > results.runs.size())
    out += fmt::format("; <span class=\"warn\">{} of {} planned runs are missing</span>", planned - results.runs.size(),
                       planned);
  return out;
}

template <class Member>
std::string common_text(const Results& results, Member member) {
  std::set<std::string> texts;
  for (const auto& run : results.runs) texts.insert(std::invoke(member, run));
  texts.erase("");
  return escaped(fmt::format("{}", fmt::join(texts, ", ")));
}

std::string what_was_run(const Results& results) {
  const auto& experiment = results.experiment;
  std::string axes;
  for (const auto& axis : experiment.axes) axes += (axes.empty() ? "" : "<br>") + escaped(axis_text(axis));
  const auto seconds = [](const std::optional<double>& value) { return value ? to_text(*value) + " s" : ""; };
  const auto& first = results.runs.front();
  auto out = heading("Runs") + "<table>\n";
  out += row("Experiment",
             escaped(experiment.file.empty() ? experiment.name : experiment.name + " (" + experiment.file + ")"));
  out += row("Axes", axes);
  out += row("Repetitions", experiment.repetitions > 0 ? std::to_string(experiment.repetitions) : "");
  out += row("Runs", counts_text(results));
  out += row("When", escaped(dates(results)));
  out +=
      row("Duration of a run", common_text(results, [&](const ProbeResult& run) { return seconds(run.duration_s); }));
  out +=
      row("Warm-up (excluded)", common_text(results, [&](const ProbeResult& run) { return seconds(run.warm_up_s); }));
  out += row("Program", common_text(results, &ProbeResult::program));
  if (!first.command.empty()) out += row("First run again", "<code>" + escaped(first.command) + "</code>");
  return out +
         "</table>\n<p class=\"soft\">Every run: <a href=\"runs.csv\">runs.csv</a>. Marked and incomplete runs count "
         "in no figure.</p>\n";
}

std::string definitions_of(const ResultPlot& plot) {
  auto figures = plot.columns;
  for (const auto* name : {&plot.y, &plot.z}) figures.push_back(*name);
  if (plot.kind == PlotKind::time && plot.y.empty()) figures.emplace_back("gbit_per_s");
  std::string out;
  for (const auto& figure : figures)
    if (const auto text = figure_definition(figure); !text.empty())
      out += fmt::format("{}<b>{}</b>: {}.", out.empty() ? "" : " ", escaped(figure_label(figure)), escaped(text));
  return out;
}

std::string picture_html(const Picture& picture, const ResultPlot& plot) {
  std::string out = "<figure>\n";
  if (!picture.drawing.title.empty()) out += fmt::format("<h3>{}</h3>\n", escaped(picture.drawing.title));
  out += picture.svg;
  const auto& shown = picture.drawing.shown;
  if (!shown.rows.empty()) {
    const auto table = html(shown, picture.drawing.numbers_from);
    out +=
        plot.kind == PlotKind::table ? table : "<details open><summary>As a table</summary>" + table + "</details>\n";
  }
  out += fmt::format("<figcaption>{} {} {} <a href=\"{}\">CSV</a>", legend_of(plot.kind), picture.drawing.note,
                     definitions_of(plot), picture.csv_file);
  if (!picture.svg_file.empty()) out += fmt::format(" <a href=\"{}\">SVG</a>", picture.svg_file);
  return out + "</figcaption>\n</figure>\n";
}

std::string plots_of(const Report& report) {
  std::string out;
  for (const auto& plot : report.plots) {
    out += heading(plot.plot.title.empty() ? to_text(plot.plot.kind) : plot.plot.title);
    if (plot.pictures.empty()) out += "<p class=\"warn\">No run that counts measured this.</p>\n";
    for (const auto& picture : plot.pictures) out += picture_html(picture, plot.plot);
    if (plot.pictures.size() >= pictures_max)
      out += fmt::format("<p class=\"soft\">Only the first {} are drawn.</p>\n", pictures_max);
  }
  return out;
}

std::string all_figures(const Results& results) {
  Table table{{"point", "figure", "median", "interval", "runs"}, {}};
  std::vector<std::size_t> counts;
  for (const auto& runs : points_of(results))
    for (const auto& name : figure_names({&runs, 1})) {
      const auto figure = median_figure(values_of(runs, name));
      if (!figure) continue;
      const auto& interval = figure->interval;
      counts.push_back(figure->runs);
      table.rows.push_back(
          {name_without(results, runs.point, {}), figure_label(name), figure_text(figure->median),
           interval ? fmt::format("{} to {}", figure_text(interval->low), figure_text(interval->high)) : "",
           std::to_string(figure->runs)});
    }
  return heading("All figures") + "<p class=\"soft\">Intervals of medians lie between order statistics (binomial). " +
         coverage_text(counts) + "\n" + "<a href=\"figures.csv\">figures.csv</a></p>\n<details" +
         (table.rows.size() <= 60 ? " open" : "") + "><summary>Medians by point</summary>\n" + html(table, 2) +
         "</details>\n";
}

std::string marks_text(const ProbeResult& run) {
  std::string out;
  for (const auto& mark : run.marks) {
    out += (out.empty() ? "" : "; ") + mark.what;
    if (!mark.host.empty()) out += " at " + mark.host;
    if (mark.at_s) out += " after " + to_text(*mark.at_s) + " s";
    if (!mark.note.empty()) out += ": " + mark.note;
  }
  return out;
}

std::string doubtful_runs(const Results& results) {
  Table table{{"run", "point", "repetition", "state", "why"}, {}};
  for (const auto& run : results.runs) {
    if (run.counts()) continue;
    auto why = run.error;
    if (const auto marks = marks_text(run); !marks.empty()) why += (why.empty() ? "" : "; ") + marks;
    table.rows.push_back({std::to_string(run.run), name_without(results, run.point, {}), std::to_string(run.repetition),
                          run.complete ? "marked" : "incomplete", why});
  }
  if (table.rows.empty()) return {};
  return heading("Runs that do not count") + html(table, table.heads.size());
}

}  // namespace

std::vector<std::string> figure_names(std::span<const PointRuns> points) {
  std::set<std::string> names;
  for (const auto& runs : points)
    for (const auto* run : runs.counting)
      for (const auto& [name, value] : run->figures) names.insert(name);
  return {names.begin(), names.end()};
}

Table figures_data(const Results& results) {
  Table table;
  for (const auto& axis : results.experiment.axes) table.heads.push_back(axis.key);
  for (const auto* head : {"figure", "median", "low", "high", "coverage", "runs"}) table.heads.emplace_back(head);
  for (const auto& runs : points_of(results))
    for (const auto& name : figure_names({&runs, 1})) {
      const auto figure = median_figure(values_of(runs, name));
      if (!figure) continue;
      auto& row = table.rows.emplace_back();
      for (const auto& axis : results.experiment.axes) {
        const auto value = runs.point.find(axis.key);
        row.push_back(value == runs.point.end() ? "" : to_text(value->second));
      }
      const auto interval = figure->interval;
      row.insert(row.end(), {name, to_text(figure->median), interval ? to_text(interval->low) : "",
                             interval ? to_text(interval->high) : "", interval ? to_text(interval->coverage) : "",
                             std::to_string(figure->runs)});
    }
  return table;
}

Table runs_data(const Results& results) {
  std::set<std::string> names;
  for (const auto& run : results.runs)
    for (const auto& [name, value] : run.figures) names.insert(name);
  Table table{{"run", "repetition"}, {}};
  for (const auto& axis : results.experiment.axes) table.heads.push_back(axis.key);
  for (const auto* head : {"began", "complete", "marks", "error", "command"}) table.heads.emplace_back(head);
  table.heads.insert(table.heads.end(), names.begin(), names.end());
  for (const auto& run : results.runs) {
    auto& row = table.rows.emplace_back();
    row = {std::to_string(run.run), std::to_string(run.repetition)};
    for (const auto& axis : results.experiment.axes) {
      const auto value = run.point.find(axis.key);
      row.push_back(value == run.point.end() ? "" : to_text(value->second));
    }
    row.insert(row.end(), {run.began, run.complete ? "true" : "false", marks_text(run), run.error, run.command});
    for (const auto& name : names) {
      const auto value = run.figures.find(name);
      row.push_back(value == run.figures.end() ? "" : to_text(value->second));
    }
  }
  return table;
}

std::vector<PdfPage> pdf_pages(const Results& results, const Report& report) {
  const auto& experiment = results.experiment;
  std::string text;
  const auto add = [&](std::string_view head, const std::string& content) {
    if (!content.empty()) text += fmt::format("{}: {}\n", head, content);
  };
  add("Repeats, of the papers' experiments", fmt::format("{}", fmt::join(experiment.rows, ", ")));
  add("The paper saw", experiment.saw);
  for (const auto& axis : experiment.axes) add("Axis", axis_text(axis));
  std::size_t counting = 0;
  for (const auto& run : results.runs) counting += run.counts() ? 1 : 0;
  add("Runs", fmt::format("{}, of which {} count in figures", results.runs.size(), counting));
  add("When", dates(results));
  add("First run again", results.runs.front().command);
  std::vector<PdfPage> pages{{results.is_experiment ? experiment.title : "Results of wall-probe", text, {}}};
  for (const auto& plot : report.plots)
    for (const auto& picture : plot.pictures) {
      if (picture.drawing.script.empty()) continue;
      const auto& of = picture.drawing;
      pages.push_back({of.title.empty() ? plot.plot.title : plot.plot.title + ": " + of.title,
                       fmt::format("{} {}", legend_of(plot.plot.kind), of.note), of.script});
    }
  return pages;
}

std::string page_of(const Results& results, const Report& report) {
  return head_of(results) + what_was_run(results) + plots_of(report) + all_figures(results) + doubtful_runs(results) +
         machines_html(results) + "</body>\n</html>\n";
}

}  // namespace lw
