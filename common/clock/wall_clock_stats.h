// The state of the wall's clock in a program, as plain values. docs/metrics.md defines each.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

enum class ClockState : std::uint8_t {
  system,    // the system clock, which other software synchronizes
  waiting,   // to be synchronized with the server's clock; no answer yet
  kept,      // synchronized with the server's clock
  holdover,  // was synchronized; no answer for some seconds
};

struct ClockStats {
  ClockState state = ClockState::waiting;
  std::optional<Nanoseconds> error;   // bound; absent if none is guaranteed
  std::optional<Nanoseconds> offset;  // wall's clock minus system clock
  std::optional<double> drift_ppm;    // of the wall's clock relative to this host's counter
  std::optional<Nanoseconds> round_trip_min;
  std::uint32_t steps = 0;                     // times the clock was set instead of slewed, including the first time
  std::optional<Nanoseconds> phc_offset = {};  // a network card's PTP clock minus the system clock
};

}  // namespace lw
