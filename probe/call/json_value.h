// Makes a Result of JSON. JSON converts from anything, so a Result cannot tell by itself that it is the value.
#pragma once

#include "common/base/result.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace lw {

inline Result<nlohmann::json> json_value(nlohmann::json json) {
  return Result<nlohmann::json>(boost::system::in_place_value, std::move(json));
}

}  // namespace lw
