// What the kernel knows of how well the system's clock is kept. Whoever keeps it tells the kernel by adjtimex(2):
// chrony (with rtcsync) and ntpd their error, phc2sys only that it does.
#pragma once

#include "common/base/units.h"

#include <optional>
#include <string>

namespace lw {

// How far the system's clock may be off, by NTP's reckoning (RFC 5905: root distance), growing by 500 ppm while nobody
// corrects it; nothing where nobody keeps it, or where we may not ask. Of phc2sys it is only that growth: it calls the
// error 0 each time.
std::optional<Nanoseconds> system_clock_error();

// TAI minus UTC, as set in the kernel; 0 if it was not set.
std::chrono::seconds tai_less_utc();

// The same for two programs on one running kernel, which hence have one clock; empty where it cannot be read.
std::string boot_id();

}  // namespace lw
