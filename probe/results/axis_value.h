// The position of a run in a sweep: a value, number or word, for each of its axes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <variant>

namespace lw {

using AxisValue = std::variant<double, std::string>;  // numbers sort before words
using Point = std::map<std::string, AxisValue>;       // by the axis' key

std::string to_text(double number);  // with as few digits as possible: 6, 0.1
std::string to_text(const AxisValue& value);
// "flows 6, pinning own core"; "all runs" if there are no axes.
std::string to_text(const Point& point);
nlohmann::json point_json(const Point& point);

}  // namespace lw
