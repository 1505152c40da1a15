// The page of a report: HTML with embedded plots, for light and dark screens and for paper.
#pragma once

#include "probe/report/gnuplot.h"
#include "probe/report/report.h"

#include <span>
#include <string>
#include <vector>

namespace lw {

std::string page_of(const Results& results, const Report& report);
// The same plots, each with its caption, behind a page on what was run.
std::vector<PdfPage> pdf_pages(const Results& results, const Report& report);

// The names of the figures in runs that count.
std::vector<std::string> figure_names(std::span<const PointRuns> points);

// Every figure at every point, and every run.
Table figures_data(const Results& results);
Table runs_data(const Results& results);

}  // namespace lw
