#include "probe/report/report.h"

#include "probe/report/gnuplot.h"
#include "probe/report/page.h"
#include "probe/results/statistics.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<void> write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) return Error{"cannot write " + file.string(), "check the directory's permissions and free space"};
  return {};
}

// File names consist of numbers and kinds only, because titles come from outside.
std::string file_stem(std::size_t plot, PlotKind kind, std::size_t picture, std::size_t pictures) {
  const auto stem = fmt::format("{:02}-{}", plot + 1, to_text(kind));
  return pictures > 1 ? fmt::format("{}-{:02}", stem, picture + 1) : stem;
}

Result<Picture> write_picture(Drawing drawing, const std::string& title, const std::string& stem, const fs::path& out) {
  Picture picture;
  picture.csv_file = stem + ".csv";
  if (const auto written = write_file(out / picture.csv_file, csv(drawing.data)); !written) return written.error();
  if (!drawing.script.empty()) {
    const auto name = drawing.title.empty() ? title : title + ": " + drawing.title;
    auto svg = draw_svg(drawing.script, name, "p" + stem, drawing.hovers);
    if (!svg) return svg.error();
    picture.svg_file = stem + ".svg";
    if (const auto written = write_file(out / picture.svg_file, svg->text); !written) return written.error();
    picture.svg = std::move(svg->text);
  }
  picture.drawing = std::move(drawing);
  return picture;
}

Result<PlotOnPage> write_plot(const Results& results, const ResultPlot& plot, std::size_t number, const fs::path& out,
                              const std::atomic<bool>& stop) {
  PlotOnPage on_page{plot, {}};
  auto drawings = drawings_of(results, plot);
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    if (stop) return Error{"stopped before the report was complete", ""};
    const auto stem = file_stem(number, plot.kind, i, drawings.size());
    auto picture = write_picture(std::move(drawings[i]), plot.title, stem, out);
    if (!picture) return picture.error();
    on_page.pictures.push_back(std::move(*picture));
  }
  return on_page;
}

json figures_json(const PointRuns& runs) {
  json figures = json::object();
  for (const auto& name : figure_names({&runs, 1})) {
    const auto figure = median_figure(values_of(runs, name));
    if (!figure) continue;
    json entry{{"median", figure->median}, {"runs", figure->runs}};
    if (figure->interval)
      entry.update(
          {{"low", figure->interval->low}, {"high", figure->interval->high}, {"coverage", figure->interval->coverage}});
    figures[name] = std::move(entry);
  }
  return figures;
}

}  // namespace

Result<Report> write_report(const Results& results, const fs::path& out, bool with_pdf, const std::atomic<bool>& stop) {
  std::error_code error;
  fs::create_directories(out, error);
  if (error) return Error{"cannot make " + out.string() + ": " + error.message(), "give another one with --out"};
  const auto& plots = results.experiment.plots.empty() ? usual_plots(results) : results.experiment.plots;
  Report report;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    auto plot = write_plot(results, plots[i], i, out, stop);
    if (!plot) return plot.error();
    report.plots.push_back(std::move(*plot));
  }
  if (const auto written = write_file(out / "figures.csv", csv(figures_data(results))); !written)
    return written.error();
  if (const auto written = write_file(out / "runs.csv", csv(runs_data(results))); !written) return written.error();
  report.page = out / "index.html";
  if (const auto written = write_file(report.page, page_of(results, report)); !written) return written.error();
  if (!with_pdf) return report;
  report.pdf = out / "report.pdf";
  const auto pdf = draw_pdf(pdf_pages(results, report));
  if (!pdf) return pdf.error();
  if (const auto written = write_file(report.pdf, *pdf); !written) return written.error();
  return report;
}

json report_json(const Results& results, const Report& report) {
  json plots = json::array(), points = json::array();
  for (const auto& plot : report.plots) {
    json files = json::array();
    for (const auto& picture : plot.pictures) {
      json entry{{"title", picture.drawing.title}, {"csv", picture.csv_file}};
      if (!picture.svg_file.empty()) entry["svg"] = picture.svg_file;
      files.push_back(std::move(entry));
    }
    plots.push_back({{"kind", to_text(plot.plot.kind)}, {"title", plot.plot.title}, {"pictures", std::move(files)}});
  }
  std::size_t marked = 0, incomplete = 0;
  for (const auto& run : results.runs) {
    incomplete += run.complete ? 0 : 1;
    marked += run.complete && !run.counts() ? 1 : 0;
  }
  for (const auto& runs : points_of(results))
    points.push_back({{"point", point_json(runs.point)},
                      {"runs", runs.all.size()},
                      {"runs_counted", runs.counting.size()},
                      {"figures", figures_json(runs)}});
  json told{{"page", report.page.string()},  {"runs", results.runs.size()}, {"runs_marked", marked},
            {"runs_incomplete", incomplete}, {"plots", std::move(plots)},   {"points", std::move(points)}};
  if (!report.pdf.empty()) told["pdf"] = report.pdf.string();
  return told;
}

}  // namespace lw
