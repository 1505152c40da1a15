// The kernel's knowledge of how well the system clock is synchronized. The synchronizing service sets it with
// adjtimex(2): chrony (with rtcsync) and ntpd set their error, phc2sys only sets that the clock is synchronized.
#pragma once

#include "common/base/units.h"

#include <optional>
#include <string>

namespace lw {

// Bound of the error of the system clock as in NTP (RFC 5905: root distance), which grows by 500 ppm while no service
// corrects the clock. Empty if the clock is not synchronized, or we may not ask. With phc2sys it is only that growth:
// phc2sys sets the error to 0 each time.
std::optional<Nanoseconds> system_clock_error();

// TAI minus UTC, as set in the kernel; 0 if it was not set.
std::chrono::seconds tai_less_utc();

// Equal for two programs on one running kernel, which then share a clock; empty if it cannot be read.
std::string boot_id();

}  // namespace lw
