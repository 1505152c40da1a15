// Runs the wall's clock of a host independently: it starts at the system time and then follows the hardware's counter.
// Used by a server whose nodes follow it ([clock] source = "wall"), so that a step of its system clock does not reach
// the wall. One thread.
#pragma once

#include "common/clock/clock_keeping.h"

namespace lw {

class FreeClock {
public:
  // `host` must outlive this object.
  explicit FreeClock(ClockKeeping& host) : host_(host) { step(); }
  ~FreeClock() { host_.follow_system(); }
  FreeClock(const FreeClock&) = delete;
  FreeClock& operator=(const FreeClock&) = delete;

  // Call often: arrival times are system times, and wrong between a step of the system clock and the next call.
  void step() {
    const auto now = host_.read();
    if (!now) return;
    if (line_.steps == 0) line_ = {now->raw, WallTime{now->system.time_since_epoch()}, 0, {}, 1};
    line_.system_less_raw = now->system_less_raw();
    host_.keep(line_);
  }

private:
  ClockKeeping& host_;
  WallClockLine line_;
};

}  // namespace lw
