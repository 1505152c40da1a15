// JSON values.
#pragma once

#include <nlohmann/json.hpp>

namespace lw {

using Json = nlohmann::json;

}  // namespace lw
