// An instant on both of a host's clocks. Passed to everything that depends on time, so that tests and simulations
// control the time.
#pragma once

#include "common/base/units.h"

namespace lw {

struct Moment {
  WallTime wall{};
  LocalTime local{};

  static Moment now() noexcept { return {WallClock::now(), LocalTime{LocalClock::now()}}; }
};

}  // namespace lw
