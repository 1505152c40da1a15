#include "common/net/address.h"
#include "common/net/multicast.h"
#include "common/wall/send_window.h"
#include "common/wall/site.h"
#include "common/wall/wall_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace lw {
namespace {

// All addresses of a wall are of one kind, and each host has the ports of its flows to itself.
class SiteAddresses {
public:
  SiteAddresses(const Wall& wall, WallFileErrors& errors)
      : ipv6_(Address::parse(wall.nodes.front().address, 0)->is_ipv6()), wall_(wall), errors_(errors) {}

  // Empty after an error.
  std::optional<Address> parse(const std::string& text, const std::string& what, unsigned line) {
    const auto address = Address::parse(text, 0);
    if (!address)
      errors_.add(line, fmt::format("{}: {}", what, address.error().what), address.error().mend);
    else if (address->is_ipv6() != ipv6_)
      errors_.add(line, what + " mixes IPv4 and IPv6 with the nodes before", "give all addresses of the wall one kind");
    else
      return *address;
    return std::nullopt;
  }

  void group(const WallSite& site, const SiteLines& lines) {
    const auto line = site.has_relay() ? lines.group : lines.address;
    const auto first = parse(site.group, fmt::format("site '{}'", site.name), line);
    if (!first) return;
    const auto last = address_after(*first, wall_.flow_count() - 1);
    if (!is_source_specific(*first) || !is_source_specific(last))
      errors_.add(
          line,
          fmt::format(
              "site '{}': the {} groups from {} on, one for each flow, are not all of source-specific multicast",
              site.name, wall_.flow_count(), site.group),
          ipv6_ ? "use a range like ff3e::8000:1" : "use a range within 232.0.1.0 to 232.255.255.255");
  }

  // A host that receives the flows: a node, or a relay.
  void receiver(const std::string& text, const std::string& what, unsigned line) {
    const auto address = parse(text, what, line);
    if (!address) return;
    if (!is_one_host(*address))
      return errors_.add(line, fmt::format("{}: flows cannot be sent to {}", what, text),
                         "write the address of the host's network card");
    const auto same = std::ranges::find_if(known_, [&](const Known& one) { return one.address.same_host(*address); });
    if (same != known_.end())
      errors_.add(line, fmt::format("{} has the address of {}, which uses the same ports", what, same->what),
                  "give each host its own address");
    known_.push_back({*address, what});
  }
  // Of a host that sends, and may also receive.
  void of_card(const std::string& text, const std::string& what, unsigned line) {
    if (const auto address = parse(text, what, line); address && !is_one_host(*address))
      errors_.add(line, fmt::format("{}: packets cannot come from {}", what, text),
                  "write the address of the host's network card");
  }
  void nodes_of_wall() {
    for (const auto& node : wall_.nodes)
      for (const auto& text : node.addresses())
        known_.push_back({Address::parse(text, 0).value(), fmt::format("node '{}'", node.name)});
  }

private:
  [[nodiscard]] bool is_one_host(const Address& address) const {
    return !is_multicast(address) && !address.same_host(Address::any(ipv6_, 0));
  }

  struct Known {
    Address address;
    std::string what;
  };
  const bool ipv6_;
  const Wall& wall_;
  WallFileErrors& errors_;
  std::vector<Known> known_;
};

void check_interfaces(const Wall& wall, const WallSite& site, const SiteLines& lines, SiteAddresses& addresses,
                      WallFileErrors& errors) {
  for (const auto& server : wall.servers)
    if (server.interfaces.empty())
      return errors.add(
          lines.address,
          fmt::format("site '{}' needs the addresses from which server '{}' sends", site.name, server.name),
          "name them in [[server]] interfaces");
  if (site.has_relay()) {
    if (site.interfaces.size() > 1)
      return errors.add(lines.interfaces, fmt::format("site '{}': a relay sends from one address", site.name),
                        "keep one of its interfaces");
    return addresses.of_card(site.interfaces.front(), fmt::format("site '{}' interfaces", site.name), lines.interfaces);
  }
  for (const auto& interface : site.interfaces) {
    const auto has = [&](const WallServer& server) {
      return std::ranges::find(server.interfaces, interface) != server.interfaces.end();
    };
    if (std::ranges::none_of(wall.servers, has))
      return errors.add(lines.interfaces,
                        fmt::format("site '{}': no server has the interface {}", site.name, interface),
                        "use addresses of [[server]] interfaces");
  }
  for (const auto& server : wall.servers)
    if (!site.interfaces.empty() &&
        std::ranges::find_first_of(server.interfaces, site.interfaces) == server.interfaces.end())
      errors.add(lines.interfaces, fmt::format("site '{}' names no interface of server '{}'", site.name, server.name),
                 "name one of each server, or none");
}

void check_nodes(const Wall& wall, const WallSite& site, const SiteLines& lines, SiteAddresses& addresses,
                 WallFileErrors& errors) {
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    const auto& node = site.nodes[i];
    addresses.receiver(node.address, fmt::format("node '{}'", node.name), lines.nodes[i].address);
    auto same = std::ranges::count(wall.nodes, node.name, &WallNode::name);
    for (const auto& other : wall.sites) same += std::ranges::count(other.nodes, node.name, &WallNode::name);
    if (same > 1)
      errors.add(lines.nodes[i].name, fmt::format("a second node is named '{}'", node.name),
                 "give each node its own name");
  }
  check_tiles(wall, site.nodes, lines.nodes, "[[site.node]]", lines.name, errors);
}

// The server paces frames for the nodes of the wall, whatever the delay of a site.
void check_delay(const Wall& wall, const WallSite& site, const SiteLines& lines, WallFileErrors& errors) {
  const auto there = wall_of_site(wall, site);
  const auto sending = SendWindow(wall).of(wall.frame_rate.duration_of(1));
  const auto least = std::max(least_playout_delay(there),
                              std::chrono::ceil<std::chrono::milliseconds>(sending) + send_margin(wall.sync.mode));
  if (site.playout_delay < least)
    errors.add(lines.playout_delay,
               fmt::format("site '{}': playout_delay_ms = {} ends before a frame is sent", site.name,
                           site.playout_delay.count()),
               fmt::format("use {} or more", least.count()));
}

// One packet goes to all sites that share groups; otherwise a node would receive flows of another site.
void check_groups(const Wall& wall, const WallSite& site, const WallSite& before, const SiteLines& lines,
                  WallFileErrors& errors) {
  if (site.has_relay() || before.has_relay()) return;
  if (site.group == before.group) {
    if (site.interfaces != before.interfaces || site.ttl != before.ttl || site.dscp != before.dscp)
      errors.add(
          lines.address,
          fmt::format("sites '{}' and '{}' share a group, but not interfaces, ttl and dscp", before.name, site.name),
          "make these equal, or use different groups");
    return;
  }
  const auto overlaps = [&](const WallSite& one, const WallSite& other) {
    const auto first = Address::parse(other.group, 0).value();
    for (unsigned flow = 0; flow < wall.flow_count(); ++flow)
      if (group_of(one, flow, 0).same_host(first)) return true;
    return false;
  };
  if (overlaps(site, before) || overlaps(before, site))
    errors.add(lines.address,
               fmt::format("the groups of sites '{}' and '{}' overlap: each flow has one, from {} and {} on",
                           before.name, site.name, before.group, site.group),
               fmt::format("use the same group for both, or keep them at least {} apart", wall.flow_count()));
}

}  // namespace

void check_sites(const Wall& wall, const WallLines& lines, WallFileErrors& errors) {
  if (wall.sites.empty()) return;
  SiteAddresses addresses(wall, errors);
  addresses.nodes_of_wall();
  for (std::size_t i = 0; i < wall.sites.size(); ++i) {
    const auto& site = wall.sites[i];
    const auto& at = lines.sites[i];
    if (!site.group.empty()) addresses.group(site, at);
    if (site.has_relay())
      addresses.receiver(site.address, fmt::format("the relay of site '{}'", site.name), at.address);
    check_interfaces(wall, site, at, addresses, errors);
    check_nodes(wall, site, at, addresses, errors);
    if (errors.first()) return;
    check_delay(wall, site, at, errors);
    for (std::size_t before = 0; before < i; ++before) {
      check_groups(wall, site, wall.sites[before], at, errors);
      if (wall.sites[before].name == site.name)
        errors.add(at.name, fmt::format("a second site is named '{}'", site.name), "give each site its own name");
    }
  }
}

}  // namespace lw
