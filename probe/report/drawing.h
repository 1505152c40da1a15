// The plots and tables of one [[plot]] of an experiment.
#pragma once

#include "probe/report/table.h"
#include "probe/results/results.h"

#include <string>
#include <vector>

namespace lw {

struct Drawing {
  std::string title;      // of this one; the plot's own stands above all of its drawings
  std::string script;     // for gnuplot; empty: a table alone
  std::string note = {};  // what else is to be known of it
  Table data;             // every number in it, for a CSV file
  Table shown;            // a table to be seen on the page; may be empty
  std::size_t numbers_from = 0;
};

// None where no run that counts measured it.
std::vector<Drawing> drawings_of(const Results& results, const ResultPlot& plot);

// What the signs in a plot of this kind mean.
std::string legend_of(PlotKind kind);

// For results that come without plots: what there is to be seen of them.
std::vector<ResultPlot> usual_plots(const Results& results);

// By the kind of plot; drawings_of() chooses.
std::vector<Drawing> line_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> bar_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> box_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> cdf_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> map_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> time_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> cpu_drawings(const Results& results, const ResultPlot& plot);
std::vector<Drawing> table_drawings(const Results& results, const ResultPlot& plot);

inline constexpr std::size_t pictures_max = 32;      // of one plot
inline constexpr std::size_t dots_max = 3000;        // single runs in a plot
inline constexpr std::size_t names_in_key_max = 24;  // a key with more is longer than the plot

std::string key_note(std::size_t names);

// "1.25 (1.2 to 1.31)", or nothing of no runs.
std::string median_text(const std::vector<double>& values);

}  // namespace lw
