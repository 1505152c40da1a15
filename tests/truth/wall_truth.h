// The skew of a wall: the times at which all tiles showed each frame are drawn, and the server computes from what the
// nodes report, each by its own clock.
#pragma once

#include "tests/truth/figure.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw::truth {

struct SkewCase {
  std::string name = {};
  std::uint64_t seed = 0;
  unsigned tiles = 0;                // one on each node
  Nanoseconds clock_error{0};        // each node's clock is off by up to this much, its bound
  unsigned not_shown_per_mille = 0;  // a tile does not show a frame
};

std::vector<SkewCase> skew_cases(std::uint64_t seed);
std::vector<Figure> figures_of(const SkewCase& chosen);

}  // namespace lw::truth
