// The values that one curve, colour or box of a plot stands for: runs in groups by where they stand along the axes.
#pragma once

#include "probe/results/results.h"

#include <string>
#include <vector>

namespace lw {

struct ValueGroup {
  AxisValue x;
  std::vector<double> values;  // of runs that count
  std::vector<double> marked;  // of complete runs that are marked: shown, but not counted
};

struct Series {
  std::string name;  // the values of all axes but x
  std::vector<ValueGroup> groups;
};

// `figure` of each run, or of each of its flows, along axis `x` (empty: all in one group). Runs that differ along an
// axis which is neither x nor by are never thrown together: they are series of their own.
std::vector<Series> series_of(const Results& results, const ResultPlot& plot, const std::string& x,
                              const std::string& figure);

// "6 flows" would need the grammar of every label: "flows 6, own core".
std::string name_without(const Results& results, const Point& point, const std::vector<std::string>& left_out);

std::string axis_label(const Results& results, const std::string& key);

}  // namespace lw
