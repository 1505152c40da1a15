// Compares two sets of results, or the points of one sweep: which settings they share, and whether the figures of each
// point differ.
#pragma once

#include "probe/compare/holm.h"
#include "probe/compare/rank_test.h"
#include "probe/results/results.h"

#include <span>
#include <string>
#include <vector>

namespace lw {

struct FigureComparison {
  std::string figure;
  MedianFigure a, b;
  Shift shift;  // a minus b
  RankTest test;
  AdjustedP adjusted;       // for all figures of the comparison together
  std::size_t counted = 1;  // number of figures that can differ

  [[nodiscard]] bool differs() const;
};

struct PointComparison {
  Point point;
  std::vector<FigureComparison> figures;
  Point a = {}, b = {};  // the compared values of the sweep's axis; empty: two sets of results
};

struct LeftOut {
  std::size_t marked = 0, incomplete = 0;
};

struct Comparison {
  std::vector<std::string> unlike;  // differences between the settings of the two sets, a sentence each
  std::vector<PointComparison> points;
  std::vector<Point> only_a, only_b;
  LeftOut left_out_a, left_out_b;  // of one sweep: only the first is used
  std::string axis;                // whose values are compared; empty: two sets of results
  bool paired = false;             // runs are compared within each repetition

  [[nodiscard]] std::size_t count() const;  // of compared figures
};

// Bounds the chance of a false "differs" among all figures of a comparison.
inline constexpr double significance = 0.05;

// `figures`: only these; empty: all that both sides have.
Result<Comparison> compare(const Results& a, const Results& b, const std::vector<std::string>& figures);

// Compares points of one sweep that differ in `axis` only, for every pair of its values. If the sweep ran in blocks,
// compares runs of the same repetition; else all runs of one point with all of the other.
Result<Comparison> compare_by(const Results& results, const std::string& axis, const std::vector<std::string>& figures);

// The comparison of one figure, shared by both. `paired`: a[i] belongs to b[i].
FigureComparison compare_values(const std::string& figure, std::span<const double> a, std::span<const double> b,
                                bool paired);
// The figures of the runs that count; `wanted`: only these; empty: all.
std::vector<std::string> figures_of(const PointRuns& runs, const std::vector<std::string>& wanted);
LeftOut left_out(const Results& results);
// An error if a point has more runs than can be compared.
Result<void> check_run_count(const PointRuns& runs);

// Adjusts p for all figures of the comparison.
void adjust(Comparison& comparison);

// "A is faster by 3.1 % (1.2 to 5 %), p = 0.008".
std::string verdict(const FigureComparison& comparison);

std::string comparison_text(const Comparison& comparison);
nlohmann::json comparison_json(const Comparison& comparison);

}  // namespace lw
