// What is wrong with the clocks of a wall, from its `stats`.
#pragma once

#include "common/messages/stats.h"

#include <QString>

namespace lw {

// Says which node's clock is unknown, or may be off by more than the duration of a frame. Nothing if all is well, and
// nothing for nodes that do not report.
QString clock_problem(const Stats& stats, double frame_interval_us);

}  // namespace lw
