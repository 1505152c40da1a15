// The newest report of a flow's receiver: which frames it holds ([sync] mode = "wall"), and which playout delay its
// frames need, measured from their media times (adapted playout delay).
#pragma once

#include "common/base/units.h"
#include "common/wire/tick_set.h"

#include <optional>

namespace lw {

struct FlowFeedback {
  TickSet held;
  std::optional<Nanoseconds> delay_needed;
  std::optional<LocalTime> heard;    // empty: never, or it said goodbye
  std::optional<LocalTime> held_at;  // when it reported `held`
  bool for_node = false;             // all flows of its node hold them
  std::optional<Nanoseconds> round_trip;

  bool operator==(const FlowFeedback&) const = default;
};

}  // namespace lw
