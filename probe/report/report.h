// Writes the report of a sweep: a self-contained page, and beside it each plot as SVG with its numbers as CSV.
#pragma once

#include "probe/report/drawing.h"
#include "probe/results/results.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

struct Picture {
  Drawing drawing;
  std::string svg;  // empty for a table
  std::string svg_file, csv_file;
};

struct PlotOnPage {
  ResultPlot plot;
  std::vector<Picture> pictures;  // empty: nothing was measured for it
};

struct Report {
  std::vector<PlotOnPage> plots;
  std::filesystem::path page;
  std::filesystem::path pdf = {};  // empty: not written
};

// Overwrites the files of an earlier report. `with_pdf`: also as report.pdf. `stop` ends it between plots.
Result<Report> write_report(const Results& results, const std::filesystem::path& out, bool with_pdf,
                            const std::atomic<bool>& stop);

nlohmann::json report_json(const Results& results, const Report& report);

}  // namespace lw
