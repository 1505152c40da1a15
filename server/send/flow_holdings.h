// What a flow's receiver said last of the frames it holds ([sync] mode = "wall").
#pragma once

#include "common/base/units.h"
#include "common/wire/tick_set.h"

#include <optional>

namespace lw {

struct FlowHoldings {
  TickSet held;
  std::optional<LocalTime> heard;  // nothing: never, or it said goodbye
  std::optional<Nanoseconds> round_trip;
};

}  // namespace lw
