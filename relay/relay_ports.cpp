#include "relay/relay_ports.h"

#include "common/net/datagram_receiver.h"
#include "common/net/multicast.h"
#include "common/net/source_filter.h"
#include "common/plan/buffers.h"
#include "common/wall/flow_routes.h"
#include "common/wall/site.h"

#include <utility>

namespace lw {
namespace {

Result<UdpSocket> open_towards(const WallSite& site, const Address& from, const Address& to) {
  auto socket = UdpSocket::bind(from);
  if (!socket) return socket;
  if (is_multicast(to))
    if (const auto set = send_multicast_from(*socket, from, site.ttl); !set) return set.error();
  if (const auto connected = socket->connect(to); !connected) return connected.error();
  if (site.dscp != 0)
    if (const auto marked = socket->set_dscp(site.dscp, to.is_ipv6()); !marked) return marked.error();
  return socket;
}

Result<void> keep_others_out(const Wall& wall, const Band& band, const UdpSocket& media, const UdpSocket& control) {
  const auto servers = sending_hosts(wall, band.tile);
  if (admit_only(media, servers) && admit_only(control, servers)) return {};
  return Error{"the kernel refuses a filter for the sources of a flow", "run wall-relay without this sandbox"};
}

}  // namespace

Result<RelayPorts> open_relay_ports(const Wall& wall, const WallSite& site, const Band& band) {
  const auto at = [](const std::string& host, std::uint16_t port) { return Address::parse(host, port).value(); };
  const auto here = at(site.address, media_port(wall, band.flow));
  auto media = UdpSocket::bind(here);
  if (!media) return media.error();
  auto control = UdpSocket::bind(here.with_next_port());
  if (!control) return control.error();
  if (const auto kept = keep_others_out(wall, band, *media, *control); !kept) return kept.error();

  const auto from = at(site.interfaces.front(), source_port(wall, band.flow));
  const auto node = at(node_showing(site.nodes, band.tile).address, here.port());
  auto to_site = open_towards(site, from, site.group.empty() ? node : group_of(site, band.flow, here.port()));
  if (!to_site) return to_site.error();
  auto control_to_site = open_towards(site, from.with_next_port(), node.with_next_port());
  if (!control_to_site) return control_to_site.error();

  const auto received = media->grow_receive_buffer(client_receive_buffer(band_rate_max(wall, band)));
  [[maybe_unused]] const auto sent = to_site->grow_send_buffer(server_send_buffer);
  DatagramReceiver::prepare(*media, {});
  return RelayPorts{std::move(*media), std::move(*control), std::move(*to_site), std::move(*control_to_site), received};
}

}  // namespace lw
