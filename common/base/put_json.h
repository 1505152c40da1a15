// Members of a JSON object for figures that may be unknown: these are absent, not zero.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>

namespace lw {

template <class T>
void put(nlohmann::json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

}  // namespace lw
