// The ways of a flow from the servers that send it to its node. A flow goes to each address of its node: over two
// networks if it has two (SMPTE ST 2022-7). Of a server and its hot standby, each uses one of the networks.
#pragma once

#include "common/net/address.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string>
#include <vector>

namespace lw {

struct FlowRoute {
  std::string from;  // an interface of the server; empty: the kernel chooses
  std::string to;    // an address of the node
  bool operator==(const FlowRoute&) const = default;
};

// The ways from one server, at least one.
std::vector<FlowRoute> routes_of(const Wall& wall, const WallServer& server, const Band& band);
// How many hosts send a flow's packets at the same time, or by how many networks they come. A cold standby may begin
// before the other server has stopped, or while that is only not heard.
std::size_t paths_to(const Wall& wall, TileIndex tile);

// The hosts from which a tile's flows come according to the wall file, whatever their port: those of the server and of
// its standby. Empty if it does not say.
std::vector<Address> sending_hosts(const Wall& wall, TileIndex tile);
// How many servers may send a tile's flows, at the same time or in turn: 2 with a standby.
std::size_t servers_of(const Wall& wall, TileIndex tile);

// Of two ways at the same time, the second; empty: there is one.
std::optional<FlowRoute> second_route(const Wall& wall, const Band& band);

}  // namespace lw
