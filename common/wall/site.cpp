#include "common/wall/site.h"

#include "common/net/multicast.h"
#include "common/wall/names.h"

#include <algorithm>
#include <cassert>

namespace lw {

bool share_group(const WallSite& one, const WallSite& other) {
  return !one.has_relay() && !other.has_relay() && one.group == other.group;
}

bool is_served_before(const Wall& wall, const WallSite& site) {
  for (const auto& before : wall.sites) {
    if (&before == &site) return false;
    if (share_group(before, site)) return true;
  }
  return false;
}

const std::string& leaves_by(const WallServer& server, const WallSite& site, unsigned flow) {
  return site.has_relay() ? server.interfaces[flow % server.interfaces.size()] : interface_towards(site, server);
}

const std::string& interface_towards(const WallSite& site, const WallServer& server) {
  if (site.has_relay()) return site.interfaces.front();
  const auto named = std::ranges::find_first_of(server.interfaces, site.interfaces);
  return named == server.interfaces.end() ? server.interfaces.front() : *named;
}

Address group_of(const WallSite& site, unsigned flow, std::uint16_t port) {
  const auto first = Address::parse(site.group, port);
  assert(first.has_value());
  return address_after(*first, flow);
}

Wall wall_of_site(const Wall& wall, const WallSite& site) {
  auto there = wall;
  there.nodes = site.nodes;
  there.sites.clear();
  // A relay sends what comes from a server and its standby as one server does.
  if (site.has_relay())
    std::erase_if(there.servers, [](const WallServer& server) { return server.standby != Standby::none; });
  for (auto& server : there.servers) server.interfaces = {interface_towards(site, server)};
  auto& streaming = there.streaming;
  streaming.dscp = site.dscp;
  streaming.resend_percent = site.resend_percent;
  streaming.playout_delay = site.playout_delay;
  streaming.playout_delay_max = {};
  streaming.sites_delay = {};
  return there;
}

std::optional<NodeView> view_of_node(const Wall& wall, std::string_view node) {
  for (const auto& site : wall.sites)
    if (std::ranges::find(site.nodes, node, &WallNode::name) != site.nodes.end())
      return NodeView{wall_of_site(wall, site), &site};
  if (wall.find_node(node) == nullptr) return std::nullopt;
  return NodeView{wall, nullptr};
}

std::string names_of_all_nodes(const Wall& wall) {
  auto names = names_of(wall.nodes);
  for (const auto& site : wall.sites) names += ", " + names_of(site.nodes);
  return names;
}

}  // namespace lw
