// What somebody may do on a control plane. docs/protocol.md says which methods each role has.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lw {

enum class AccessRole : std::uint8_t {
  view,        // looks
  operate,     // also plays
  administer,  // all
  node,        // a render node: only what nodes say
  server,      // another server of the wall: only what servers say
};

std::string_view name_of(AccessRole role);
std::optional<AccessRole> access_role(std::string_view name);

// Whether somebody of the one role has what the other is needed for.
constexpr bool may(AccessRole has, AccessRole needs) {
  return has == needs || has == AccessRole::administer || (has == AccessRole::operate && needs == AccessRole::view);
}

// Of a method of the control protocol; nothing: everybody who is let in may call it. The server decides by this, and
// the operator's program offers by it. What is not known needs the most.
std::optional<AccessRole> role_needed(std::string_view method);

}  // namespace lw
