#include "probe/results/axis_value.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {

std::string to_text(double number) { return fmt::format("{}", number); }

std::string to_text(const AxisValue& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? to_text(*number) : std::get<std::string>(value);
}

std::string to_text(const Point& point) {
  std::string out;
  for (const auto& [key, value] : point) out += (out.empty() ? "" : ", ") + key + " " + to_text(value);
  return out.empty() ? "all runs" : out;
}

nlohmann::json point_json(const Point& point) {
  auto out = nlohmann::json::object();
  for (const auto& [key, value] : point) std::visit([&out, &key = key](const auto& at) { out[key] = at; }, value);
  return out;
}

}  // namespace lw
