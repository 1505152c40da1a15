// A wall as one of its sites sees it: other nodes show the same tiles, by another path and with its own playout delay.
#pragma once

#include "common/net/address.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string>
#include <string_view>

namespace lw {

// Whether the same packets serve both: sites that join the same groups.
bool share_group(const WallSite& one, const WallSite& other);
// Whether a site before it in the wall file shares its groups: then the packets to that one also serve it.
bool is_served_before(const Wall& wall, const WallSite& site);
// The interface by which a flow leaves the server for the site.
const std::string& leaves_by(const WallServer& server, const WallSite& site, unsigned flow);

// The address from which the packets of a server's flows come to the site: the server's or the relay's.
const std::string& interface_towards(const WallSite& site, const WallServer& server);

// The group of a flow, with this port. Each flow has a group, so that switches deliver to a node only the flows of its
// tiles: flow i has the i-th after the site's. The site must have one.
Address group_of(const WallSite& site, unsigned flow, std::uint16_t port);

// The wall that the nodes of a site show: its nodes, sources, DSCP, resends and playout delay, which does not change.
// Behind a relay it has no standbys: each flow comes from the relay.
// With [sync] mode = "wall" the tiles of the site show a frame all or none, whatever other places show.
Wall wall_of_site(const Wall& wall, const WallSite& site);

// The wall that a node shows, which is the wall's or a site's. Refers to the wall that it was made of.
struct NodeView {
  Wall wall;
  const WallSite* site = nullptr;  // null: it is a node of the wall itself
};
// Empty if there is no node with this name. An error that names all nodes needs `names_of_all_nodes`.
std::optional<NodeView> view_of_node(const Wall& wall, std::string_view node);
std::string names_of_all_nodes(const Wall& wall);

}  // namespace lw
