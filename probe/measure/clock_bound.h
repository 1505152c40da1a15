// Bounds the difference between the clocks of a measurement's two hosts, from the reports of both sides.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

// `one`, `other`: "host" of each side (RunSide::finish). 0 if both have the same kernel; the sum of both errors
// otherwise; empty if one of them has no guaranteed bound.
inline std::optional<double> clocks_apart_us(const nlohmann::json& one, const nlohmann::json& other) {
  const auto kernel = one.value("boot_id", "");
  if (!kernel.empty() && kernel == other.value("boot_id", "")) return 0;
  if (!one.contains("clock_error_us") || !other.contains("clock_error_us")) return std::nullopt;
  return one["clock_error_us"].get<double>() + other["clock_error_us"].get<double>();
}

}  // namespace lw
