// How far the clocks of two hosts of a measurement may be apart, by what each side reports of its host.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

// Of "host" of both sides (RunSide::finish): 0 where both are one kernel's; the sum of both errors; nothing where
// nobody guarantees a bound for one of them.
inline std::optional<double> clocks_apart_us(const nlohmann::json& one, const nlohmann::json& other) {
  const auto kernel = one.value("boot_id", "");
  if (!kernel.empty() && kernel == other.value("boot_id", "")) return 0;
  if (!one.contains("clock_error_us") || !other.contains("clock_error_us")) return std::nullopt;
  return one["clock_error_us"].get<double>() + other["clock_error_us"].get<double>();
}

}  // namespace lw
