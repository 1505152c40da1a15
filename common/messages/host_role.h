// The role of a host in a wall.
#pragma once

#include "common/messages/rules.h"

#include <cstdint>

namespace lw {

enum class HostRole : std::uint8_t { server, node };
inline constexpr Names host_role_names{"server", "node"};

}  // namespace lw
