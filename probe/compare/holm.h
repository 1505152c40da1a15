// Adjusts p for the number of figures: of many figures compared at once, some would differ by chance alone.
// Pure.
//
// Holm's method (1979) rather than Benjamini and Hochberg's: people act on the verdict of each figure, so the chance of
// even one false verdict must be limited. Figures of the same runs depend on each other, which Holm allows in any form.
// Figures whose p cannot be at most alpha with this number of runs and ties never get a false verdict, so they are not
// counted (Tarone 1990): constant figures, such as a loss of 0, cost nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lw {

struct TestedP {
  double p = 1, least_p = 1;
};

struct AdjustedP {
  double p = 1;             // at most alpha: the figure differs
  std::size_t factor = 1;   // by which least_p is multiplied, given the other figures
  bool can_differ = false;  // least_p is small enough
};

struct AdjustedTests {
  std::vector<AdjustedP> tests;  // in the order of the input
  std::size_t counted = 0;
};

AdjustedTests holm(std::span<const TestedP> tests, double alpha);

}  // namespace lw
