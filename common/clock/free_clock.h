// Keeps this program's WallClock on its own: from the system's time at the start it goes by the hardware's counter. The
// server's, when its nodes follow it ([clock] source = "wall"): a step of its system's clock does not reach the wall.
// One thread.
#pragma once

#include "common/clock/wall_clock.h"

namespace lw {

class FreeClock {
public:
  FreeClock() { step(); }
  ~FreeClock() { follow_system_clock(); }
  FreeClock(const FreeClock&) = delete;
  FreeClock& operator=(const FreeClock&) = delete;

  // Often: arrival times are the system's, and wrong from a step of its clock until this.
  void step() {
    const auto now = read_clocks();
    if (!now) return;
    if (line_.steps == 0) line_ = {now->raw, WallTime{now->system.time_since_epoch()}, 0, {}, 1};
    line_.system_less_raw = now->system_less_raw();
    keep_wall_clock(line_);
  }

private:
  WallClockLine line_;
};

}  // namespace lw
