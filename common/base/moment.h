// An instant on both of a host's clocks. Passed to everything that works at a time, so that tests and simulations set
// the time.
#pragma once

#include "common/base/units.h"

namespace lw {

struct Moment {
  WallTime wall{};
  LocalTime local{};

  static Moment now() noexcept { return {WallClock::now(), LocalTime{LocalClock::now()}}; }
};

}  // namespace lw
