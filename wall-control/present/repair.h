// What the wall repairs, in the words of an audience: on how many displays something was lost or went wrong in the last
// ten seconds, and which share of the lost data came in time after all.
#pragma once

#include "wall-control/models/flow_history.h"

#include <optional>

namespace lw {

struct Repair {
  int displays = 0;
  std::optional<double> share;  // 0 to 1; empty if nothing was lost
};

Repair repair_of(const FlowHistory& history);

}  // namespace lw
