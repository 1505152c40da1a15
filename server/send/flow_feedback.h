// What a flow's receiver said last: which frames it holds ([sync] mode = "wall"), and how long after their media times
// frames would have to be shown (an adapted playout delay).
#pragma once

#include "common/base/units.h"
#include "common/wire/tick_set.h"

#include <optional>

namespace lw {

struct FlowFeedback {
  TickSet held;
  std::optional<Nanoseconds> delay_needed;
  std::optional<LocalTime> heard;  // nothing: never, or it said goodbye
  std::optional<Nanoseconds> round_trip;
};

}  // namespace lw
