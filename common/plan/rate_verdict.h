// Whether frames of a rate can be complete on a wall: whether the playout delay leaves the time to send them, and
// whether the nodes can keep those that wait for their presentation. By arithmetic alone.
#pragma once

#include "common/plan/verdict.h"

#include <string>
#include <vector>

namespace lw {

// Of a visualization with this rate, or of the wall itself.
std::vector<Finding> judge_rate(const Wall& wall, FrameRate rate);
// What is not ok of these, in one line with its fix; empty where all is.
std::string rate_warning(const Wall& wall, FrameRate rate);

}  // namespace lw
