// The result of a measurement. It is a separate type because a Result of bare JSON could not distinguish a value from
// an error.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>

namespace lw::bench {

struct Report {
  nlohmann::json figures;
};

// Measured first, and not counted.
inline constexpr std::chrono::milliseconds warm_up{300};

}  // namespace lw::bench
