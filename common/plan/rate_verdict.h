// Whether frames at a rate can be complete on a wall: whether the playout delay leaves the time to send them, and
// whether the nodes can hold those that wait for their presentation. Arithmetic only.
#pragma once

#include "common/plan/verdict.h"

#include <string>
#include <vector>

namespace lw {

// For a visualization with this rate, or for the wall itself.
std::vector<Finding> judge_rate(const Wall& wall, FrameRate rate);
// The findings that are not ok, in one line with the fix; empty if all are.
std::string rate_warning(const Wall& wall, FrameRate rate);

}  // namespace lw
