// Many figures are compared at once, and some of them would differ by chance alone: p adjusted for how many there are.
// Pure.
//
// Holm's method (1979), and not Benjamini and Hochberg's: every figure gets a verdict of its own that people act on, so
// the chance of even one false verdict is what must be limited. Figures of the same runs depend on each other, which
// Holm allows in any form. Figures whose p cannot be at most alpha, with so many runs and ties, never get a false
// verdict and are not counted (Tarone 1990): constant ones, such as a loss of 0, cost nothing.
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
  std::size_t factor = 1;   // by which least_p counts, beside the others as they are
  bool can_differ = false;  // least_p allows it
};

struct AdjustedTests {
  std::vector<AdjustedP> tests;  // in the order that was given
  std::size_t counted = 0;
};

AdjustedTests holm(std::span<const TestedP> tests, double alpha);

}  // namespace lw
