// What a result says of the host that it was measured on.
#pragma once

#include <nlohmann/json.hpp>

namespace lw {

// {"name": ..., "facts": as of wall-server --plan --json}.
nlohmann::json own_host();

}  // namespace lw
