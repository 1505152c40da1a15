// What a measurement gives. A type of its own: a Result of bare JSON could not tell a value from an error.
#pragma once

#include <nlohmann/json.hpp>

namespace lw::bench {

struct Report {
  nlohmann::json figures;
};

}  // namespace lw::bench
