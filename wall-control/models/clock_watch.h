// What is wrong with the clocks of a wall, from its `stats`.
#pragma once

#include "common/messages/stats.h"

#include <QString>

namespace lw {

// In words: which node's clock is not known, or may be further off than a frame lasts. Nothing when all is well, and of
// nodes that do not report.
QString clock_problem(const Stats& stats, double frame_interval_us);

}  // namespace lw
