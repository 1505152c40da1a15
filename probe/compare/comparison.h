// Two sets of results side by side: what is alike in them, and what the figures of each point say.
#pragma once

#include "probe/compare/holm.h"
#include "probe/compare/rank_test.h"
#include "probe/results/results.h"

#include <string>
#include <vector>

namespace lw {

struct FigureComparison {
  std::string figure;
  MedianFigure a, b;
  Shift shift;  // a less b
  RankTest test;
  AdjustedP adjusted;       // for all figures of the comparison
  std::size_t counted = 1;  // of them, those that can differ

  [[nodiscard]] bool differs() const;
};

struct PointComparison {
  Point point;
  std::vector<FigureComparison> figures;
};

struct LeftOut {
  std::size_t marked = 0, incomplete = 0;
};

struct Comparison {
  std::vector<std::string> unlike;  // why the results are not of the same setting, a sentence each
  std::vector<PointComparison> points;
  std::vector<Point> only_a, only_b;
  LeftOut left_out_a, left_out_b;

  [[nodiscard]] std::size_t count() const;  // of figures compared
};

// The chance of a false "differs" among all figures of a comparison is at most this.
inline constexpr double significance = 0.05;

// `figures`: of these only; empty: of all that both sides have.
Result<Comparison> compare(const Results& a, const Results& b, const std::vector<std::string>& figures);

// Adjusts p for all figures of the comparison.
void adjust(Comparison& comparison);

// "A is faster by 3.1 % (1.2 to 5 %), p = 0.008".
std::string verdict(const FigureComparison& comparison);

std::string comparison_text(const Comparison& comparison);
nlohmann::json comparison_json(const Comparison& comparison);

}  // namespace lw
