// An instant on both of a host's clocks. What does work at a time is told it, so that tests and simulations say what
// time it is.
#pragma once

#include "common/base/units.h"

namespace lw {

struct Moment {
  WallTime wall{};
  LocalTime local{};

  static Moment now() noexcept { return {WallClock::now(), LocalTime{LocalClock::now()}}; }
};

}  // namespace lw
