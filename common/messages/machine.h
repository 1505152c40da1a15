// What a host is made of, on its way from a node to the operators: the JSON of common/host, checked.
#pragma once

#include "common/messages/rpc.h"

#include <cstddef>
#include <optional>

namespace lw {

inline constexpr std::size_t machine_list_max = 1024;  // entries of any list: cores, cards, queues

// A copy with the known members only, all of the right type; empty if these are not a host's facts.
std::optional<Json> checked_machine(const Json& machine);

}  // namespace lw
