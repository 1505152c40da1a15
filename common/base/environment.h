// The value of an environment variable; empty if it is not set.
#pragma once

#include <cstdlib>
#include <string>

namespace lw {

inline std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace lw
