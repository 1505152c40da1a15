// The plots and tables of one [[plot]] of an experiment.
#pragma once

#include "probe/report/table.h"
#include "probe/results/results.h"

#include <string>
#include <vector>

namespace lw {

struct Drawing {
  std::string title;      // of this drawing, below the plot's title
  std::string script;     // for gnuplot; empty: only a table
  std::string note = {};  // a remark for the reader
  Table data;             // all numbers in it, for a CSV file
  Table shown;            // a table for the page; may be empty
  std::size_t numbers_from = 0;
  std::vector<std::string> hovers = {};  // texts of the script
};

// Empty if no run that counts has measured it.
std::vector<Drawing> drawings_of(const Results& results, const ResultPlot& plot);

// Explains the symbols of this kind of plot.
std::string legend_of(PlotKind kind);

// For results without plots: the ones worth showing.
std::vector<ResultPlot> usual_plots(const Results& results);

// One function for each kind of plot; drawings_of() chooses.
std::vector<Drawing> line_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> bar_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> box_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> cdf_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> map_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> time_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> timeline_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> cpu_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> table_drawings(const Results& results, const ResultPlot& plot);

inline constexpr std::size_t pictures_max = 32;      // per plot
inline constexpr std::size_t dots_max = 3000;        // single runs per plot
inline constexpr std::size_t names_in_key_max = 24;  // a key with more is larger than the plot

std::string key_note(std::size_t names);

// "1.25 (1.2 to 1.31)"; empty if there are no runs.
std::string median_text(const std::vector<double>& values);

}  // namespace lw
