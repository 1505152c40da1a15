#include "common/control/access_role.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lw {
namespace {

constexpr std::array<std::string_view, 4> names{"view", "operate", "administer", "node"};

}  // namespace

std::string_view name_of(AccessRole role) { return names[static_cast<std::size_t>(role)]; }

std::optional<AccessRole> access_role(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<AccessRole>(found - names.begin());
}

}  // namespace lw
