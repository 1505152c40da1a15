// The correct figures of a run, computed again from what the path did: by the definitions of docs/metrics.md, in the
// simplest way, without any of the code under test.
#pragma once

#include "tests/truth/figure.h"
#include "tests/truth/path_run.h"

#include <vector>

namespace lw::truth {

std::vector<Figure> figures_of(const KnownPath& path, const PathRun& run);

}  // namespace lw::truth
