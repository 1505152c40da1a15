// The severity of an event.
#pragma once

#include <cstdint>

namespace lw {

enum class Severity : std::uint8_t { info, warning, error };

}  // namespace lw
