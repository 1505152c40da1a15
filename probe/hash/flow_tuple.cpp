#include "probe/hash/flow_tuple.h"

#include "common/base/whole_number.h"
#include "common/wall/flow_routes.h"
#include "common/wall/geometry.h"

#include <algorithm>

namespace lw {
namespace {

// "40000-40014/2", "40000"; false for other texts.
bool add_ports(std::string_view text, std::vector<std::uint16_t>& ports) {
  const auto slash = text.find('/');
  const auto step = slash == std::string_view::npos ? 1U : whole_number<unsigned>(text.substr(slash + 1)).value_or(0);
  const auto range = text.substr(0, slash);
  const auto dash = range.find('-');
  const auto first = whole_number<std::uint16_t>(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole_number<std::uint16_t>(range.substr(dash + 1));
  if (!first || !last || *first == 0 || *last < *first || step == 0) return false;
  for (unsigned port = *first; port <= *last; port += step) ports.push_back(static_cast<std::uint16_t>(port));
  return true;
}

Result<std::vector<Address>> parse_side(const std::string& option, const std::string& text) {
  const Error wrong{option + " " + text + " is not an address with ports",
                    "write a numeric address and ports, like 10.0.0.1:40000-40014/2 or [2001:db8::1]:50000,50004"};
  const auto parts = split_host_port(text);
  if (!parts) return wrong;
  const auto ports = parse_port_list(parts->port);
  const auto host = Address::parse(parts->host, 0);
  if (!host || ports.empty()) return wrong;
  std::vector<Address> addresses;
  addresses.reserve(ports.size());
  for (const auto port : ports) addresses.push_back(host->with_port(port));
  return addresses;
}

}  // namespace

std::vector<std::uint16_t> parse_port_list(std::string_view text) {
  constexpr std::size_t most = 65'535;
  std::vector<std::uint16_t> ports;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (!add_ports(text.substr(0, comma), ports) || ports.size() > most) return {};
    if (comma == std::string_view::npos) return ports;
    text = text.substr(comma + 1);
  }
  return {};
}

Result<std::vector<FlowTuple>> flows_of_lists(const std::string& from, const std::string& to) {
  auto sources = parse_side("--from", from);
  if (!sources) return sources.error();
  auto targets = parse_side("--to", to);
  if (!targets) return targets.error();
  const auto count = std::max(sources->size(), targets->size());
  for (auto* side : {&*sources, &*targets})
    if (side->size() == 1) side->resize(count, side->front());
  if (sources->size() != targets->size())
    return Error{"--from has " + std::to_string(sources->size()) + " ports and --to " + std::to_string(targets->size()),
                 "give both as many, or one of them a single port"};
  if (sources->front().is_ipv6() != targets->front().is_ipv6())
    return Error{"--from and --to are of different IP versions", "give both IPv4 or both IPv6 addresses"};
  std::vector<FlowTuple> flows;
  for (std::size_t i = 0; i < count; ++i) flows.push_back({(*sources)[i], (*targets)[i]});
  return flows;
}

Result<std::vector<FlowTuple>> flows_of_wall(const Wall& wall, const std::string& node, const std::string& from) {
  if (!node.empty() && wall.find_node(node) == nullptr)
    return Error{"the wall has no node '" + node + "'", "name one of the wall file's [[node]]s"};
  const auto no_address = [](const WallServer& server) { return server.interfaces.empty(); };
  if (from.empty() && std::ranges::any_of(wall.servers, no_address))
    return Error{"the wall file does not name the address that flows leave from",
                 "give it with --from ADDRESS, or as `interfaces` of [[server]]"};
  std::vector<FlowTuple> flows;
  for (const auto& band : all_bands(wall)) {
    const auto& target = wall.node_of(band.tile);
    if (!node.empty() && target.name != node) continue;
    const auto leaves_by = !from.empty() ? from : routes_of(wall, wall.server_of(band.tile), band).front().from;
    const auto source = Address::parse(leaves_by, source_port(wall, band.flow));
    if (!source) return source.error();
    const auto sink = Address::parse(target.address, media_port(wall, band.flow));
    if (!sink) return sink.error();
    if (source->is_ipv6() != sink->is_ipv6())
      return Error{leaves_by + " and " + target.address + " are of different IP versions",
                   "give --from an address of the nodes' kind"};
    flows.push_back({*source, *sink});
  }
  return flows;
}

}  // namespace lw
