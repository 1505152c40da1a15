#include "common/wall/flow_routes.h"

#include <algorithm>

namespace lw {
namespace {

bool is_hot(const WallServer* server) { return server != nullptr && server->standby == Standby::hot; }

}  // namespace

std::vector<FlowRoute> routes_of(const Wall& wall, const WallServer& server, const Band& band) {
  auto addresses = wall.node_of(band.tile).addresses();
  const bool two = addresses.size() > 1;
  std::size_t first = 0;
  if (two && server.standby == Standby::hot) {
    first = 1;
  } else if (two && is_hot(wall.standby_of(server))) {
    addresses.pop_back();
  }
  const auto& interfaces = server.interfaces;
  std::vector<FlowRoute> routes;
  for (std::size_t i = first; i < addresses.size(); ++i) {
    // With two addresses, each has its own interface; else flows use the interfaces in turn.
    const auto turn =
        two ? std::min(i, interfaces.size() - 1) : band.flow % std::max<std::size_t>(interfaces.size(), 1);
    routes.push_back({interfaces.empty() ? "" : interfaces[turn], addresses[i]});
  }
  return routes;
}

std::vector<Address> sending_hosts(const Wall& wall, TileIndex tile) {
  std::vector<Address> hosts;
  const auto& server = wall.server_of(tile);
  for (const auto* sends : {&server, wall.standby_of(server)}) {
    if (sends == nullptr) continue;
    for (const auto& interface : sends->interfaces)
      if (const auto address = Address::parse(interface, 0)) hosts.push_back(*address);
  }
  return hosts;
}

std::size_t servers_of(const Wall& wall, TileIndex tile) {
  return wall.standby_of(wall.server_of(tile)) != nullptr ? 2 : 1;
}

std::optional<FlowRoute> second_route(const Wall& wall, const Band& band) {
  const auto& server = wall.server_of(band.tile);
  auto routes = routes_of(wall, server, band);
  if (const auto* standby = wall.standby_of(server); is_hot(standby))
    for (const auto& route : routes_of(wall, *standby, band)) routes.push_back(route);
  return routes.size() > 1 ? std::optional(routes[1]) : std::nullopt;
}

std::size_t paths_to(const Wall& wall, TileIndex tile) {
  const auto addresses = wall.node_of(tile).addresses().size();
  return is_hot(wall.standby_of(wall.server_of(tile))) ? 2 : addresses * servers_of(wall, tile);
}

}  // namespace lw
