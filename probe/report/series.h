// The values behind one curve, colour or box of a plot: runs grouped by their position on the axes.
#pragma once

#include "probe/results/results.h"

#include <string>
#include <vector>

namespace lw {

struct ValueGroup {
  AxisValue x;
  std::vector<double> values;   // of runs that count; of each of their flows if the plot shows flows
  std::vector<double> of_runs;  // one for each of these runs: of several flows of a run, the median
  std::vector<double> marked;   // of complete runs that are marked: shown, but not counted
};

struct Series {
  std::string name;  // the values of all axes except x
  std::vector<ValueGroup> groups;
};

// `figure` of each run, or of each of its flows, along axis `x` (empty: all in one group). Runs that differ along an
// axis that is neither x nor by are never merged: they form separate series.
std::vector<Series> series_of(const Results& results, const ResultPlot& plot, const std::string& x,
                              const std::string& figure);

// "flows 6, own core". ("6 flows" would need the grammar of every label.)
std::string name_without(const Results& results, const Point& point, const std::vector<std::string>& left_out);

std::string axis_label(const Results& results, const std::string& key);

// An axis whose key ends with a unit of times or sizes has values with units, and a label without: "burst", "8 KiB".
std::string label_of(const ResultAxis& axis);
std::string value_text(const ResultAxis& axis, const AxisValue& value);
// The unit of the ticks of such an axis; empty for another one.
std::string_view tick_unit(std::string_view key);

}  // namespace lw
