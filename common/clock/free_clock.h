// Runs this program's WallClock independently: it starts at the system time and then follows the hardware's counter.
// Used by a server whose nodes follow it ([clock] source = "wall"), so that a step of its system clock does not reach
// the wall. One thread.
#pragma once

#include "common/clock/wall_clock.h"

namespace lw {

class FreeClock {
public:
  FreeClock() { step(); }
  ~FreeClock() { follow_system_clock(); }
  FreeClock(const FreeClock&) = delete;
  FreeClock& operator=(const FreeClock&) = delete;

  // Call often: arrival times are system times, and wrong between a step of the system clock and the next call.
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
