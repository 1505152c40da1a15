// Times in messages.
#pragma once

#include "common/base/units.h"

#include <string>

namespace lw {

// "2026-01-31T12:00:00.123Z"
std::string to_iso8601(WallTime time);

}  // namespace lw
