// Problems with the clocks of a wall, from its `stats`.
#pragma once

#include "common/messages/stats.h"

#include <QString>

namespace lw {

// Reports which node's clock is unknown, or may be off by more than the duration of a frame. Empty if there is no
// problem; nodes that do not report are skipped.
QString clock_problem(const Stats& stats, double frame_interval_us);

}  // namespace lw
