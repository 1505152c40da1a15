// What a program knows of its clock against the wall's, as plain values. docs/metrics.md defines each.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

enum class ClockState : std::uint8_t {
  system,    // it is the system's, kept by others
  waiting,   // to be kept by the server's, but no answer yet
  kept,      // by the server's
  holdover,  // was kept; no answer for some seconds
};

struct ClockStats {
  ClockState state = ClockState::waiting;
  std::optional<Nanoseconds> error;   // bound; absent if no service guarantees one
  std::optional<Nanoseconds> offset;  // of the wall's clock from the system's
  std::optional<double> drift_ppm;    // of the wall's clock against this host's counter
  std::optional<Nanoseconds> round_trip_min;
  std::uint32_t steps = 0;                     // times the clock was set, the first included; else it is slewed
  std::optional<Nanoseconds> phc_offset = {};  // of a network card's PTP clock from the system's
};

}  // namespace lw
