// The names of a wall's nodes or servers for errors that name the possible ones. Any thread.
#pragma once

#include <string>

namespace lw {

// "left, right", in the order of the wall file. `parts`: Wall::nodes or Wall::servers.
std::string names_of(const auto& parts) {
  std::string names;
  for (const auto& part : parts) names += (names.empty() ? "" : ", ") + part.name;
  return names;
}

}  // namespace lw
