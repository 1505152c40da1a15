// The correct figures of a run, computed again from what the path did: by the definitions of docs/metrics.md, in the
// simplest way, without any of the code under test.
#pragma once

#include "tests/truth/path_run.h"

#include <string>
#include <vector>

namespace lw::truth {

struct Figure {
  std::string name;
  double truth = 0;
  double measured = 0;
  double allowed = 0;  // largest error

  [[nodiscard]] double error() const { return measured > truth ? measured - truth : truth - measured; }
  // Also false if one of them is not a number.
  [[nodiscard]] bool holds() const { return error() <= allowed; }
};

std::vector<Figure> figures_of(const KnownPath& path, const PathRun& run);

}  // namespace lw::truth
