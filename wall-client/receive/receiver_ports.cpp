#include "wall-client/receive/receiver_ports.h"

#include "common/net/datagram_receiver.h"
#include "common/net/multicast.h"
#include "common/net/source_filter.h"
#include "common/plan/buffers.h"
#include "common/wall/flow_routes.h"
#include "common/wall/site.h"

#include <chrono>
#include <random>

namespace lw {
namespace {

// If the wall file says from where the server sends, lets the kernel reject everything else; false if it does not.
bool keep_strangers_out(const UdpSocket& media, std::span<const UdpSocket> control, std::span<const Address> servers) {
  if (servers.empty()) return false;
  for (const auto& socket : control) admit_only(socket, servers);
  return admit_only(media, servers);
}

}  // namespace

Result<std::shared_ptr<const CardLines>> card_of(const Wall& wall, const Address& local) {
  if (!wall.streaming.card_times) return std::shared_ptr<const CardLines>();
  const auto clock = CardClock::open(local);
  if (!clock) return clock.error();
  return std::shared_ptr<const CardLines>(*clock, &(*clock)->lines());
}

Result<ReceiverPorts> open_receiver_ports(const Wall& wall, const Band& band, const WallSite* site) {
  const auto port = media_port(wall, band.flow);
  const auto& node = wall.node_of(band.tile);
  const bool by_group = site != nullptr && !site->group.empty();
  const auto open = [&](const std::string& address, std::uint16_t local_port) -> Result<UdpSocket> {
    const auto local = Address::parse(address, local_port);
    if (!local) return local.error();
    // Media of both networks arrive at one socket: of a packet that came by both, the second is a duplicate. Packets
    // to a group and to the node itself also arrive at one socket.
    const bool any = by_group || (local_port == port && !node.second_address.empty());
    auto socket = UdpSocket::bind(any ? Address::any(local->is_ipv6(), local_port) : *local);
    if (!socket || !by_group) return socket;
    for (const auto& server : sending_hosts(wall, band.tile))
      if (const auto joined = join_group(*socket, group_of(*site, band.flow, 0), server, local->with_port(0)); !joined)
        return joined.error();
    return socket;
  };
  auto media = open(node.address, port);
  if (!media) return media.error();
  std::vector<UdpSocket> control;
  for (const auto& address : node.addresses()) {
    auto socket = open(address, static_cast<std::uint16_t>(port + 1));
    if (!socket) return socket.error();
    socket->stamp_arrivals();
    control.push_back(std::move(*socket));
  }
  if (const auto timed = media->set_receive_timeout(receive_timeout); !timed) return timed.error();

  auto card = card_of(wall, media->local_address());
  if (!card) return card.error();

  ReceiverPorts ports;
  ports.ssrc = std::random_device{}();
  ports.card = std::move(*card);
  ports.receive_buffer_bytes = media->grow_receive_buffer(client_receive_buffer(band_rate_max(wall, band)));
  ports.keeps_out = keep_strangers_out(*media, control, sending_hosts(wall, band.tile));
  ports.counts_drops =
      DatagramReceiver::prepare(*media, {wall.streaming.busy_poll, wall.streaming.measure, wall.streaming.card_times});
  ports.media = std::make_unique<SocketPort>(std::move(*media));
  for (auto& socket : control) ports.control.push_back(std::make_unique<SocketPort>(std::move(socket)));
  return ports;
}

}  // namespace lw
