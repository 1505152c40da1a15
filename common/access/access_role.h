// The roles of clients on a control plane. docs/protocol.md lists the methods of each role.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lw {

enum class AccessRole : std::uint8_t {
  view,        // reads
  operate,     // also plays
  administer,  // everything
  node,        // a render node: only the messages of nodes
  server,      // another server of the wall: only what servers say
};

std::string_view name_of(AccessRole role);
std::optional<AccessRole> access_role(std::string_view name);

// Whether the role `has` includes the role `needs`.
constexpr bool may(AccessRole has, AccessRole needs) {
  return has == needs || has == AccessRole::administer || (has == AccessRole::operate && needs == AccessRole::view);
}

// The role that a method of the control protocol needs; empty: every admitted client may call it. The server enforces
// this, and the operator's program offers methods accordingly. Unknown methods need the highest role.
std::optional<AccessRole> role_needed(std::string_view method);

}  // namespace lw
