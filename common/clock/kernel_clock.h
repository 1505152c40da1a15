// What the kernel knows of how well the system's clock is kept. Whoever keeps it (chrony, ntpd, phc2sys from a network
// card's PTP clock) tells the kernel its errors by adjtimex(2).
#pragma once

#include "common/base/units.h"

#include <optional>
#include <string>

namespace lw {

// How far the system's clock may be off, by NTP's reckoning (RFC 5905: root distance), growing while nobody corrects
// it; nothing where nobody keeps it.
std::optional<Nanoseconds> system_clock_error();

// The same for two programs on one running kernel, which hence have one clock; empty where it cannot be read.
std::string boot_id();

}  // namespace lw
