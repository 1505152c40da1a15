#include "server/send/sender_ports.h"

#include "common/plan/buffers.h"
#include "common/wall/flow_routes.h"
#include "server/send/site_paths.h"

#include <string>

namespace lw {
namespace {

// `from`: empty: the kernel chooses.
Result<UdpSocket> open(const std::string& from, std::uint16_t from_port, const std::string& to, std::uint16_t to_port,
                       unsigned dscp) {
  const auto target = Address::parse(to, to_port);
  if (!target) return target.error();
  const auto local =
      from.empty() ? Result<Address>(Address::any(target->is_ipv6(), from_port)) : Address::parse(from, from_port);
  if (!local) return local.error();
  auto socket = UdpSocket::bind(*local);
  if (!socket) return socket;
  if (const auto connected = socket->connect(*target); !connected) return connected.error();
  if (dscp != 0)
    if (const auto marked = socket->set_dscp(dscp, target->is_ipv6()); !marked) return marked.error();
  return socket;
}

}  // namespace

Result<SenderPorts> open_sender_ports(const Wall& wall, const WallServer& server, const Band& band) {
  const auto from = source_port(wall, band.flow);
  const auto to = media_port(wall, band.flow);
  SenderPorts ports;
  ports.server = server.name;
  ports.numbers = StreamNumbers::random();
  for (const auto& route : routes_of(wall, server, band)) {
    auto media = open(route.from, from, route.to, to, wall.streaming.dscp);
    if (!media) return media.error();
    auto control = open(route.from, static_cast<std::uint16_t>(from + 1), route.to, static_cast<std::uint16_t>(to + 1),
                        wall.streaming.dscp);
    if (!control) return control.error();
    [[maybe_unused]] const auto granted = media->grow_send_buffer(server_send_buffer);
    control->stamp_arrivals();
    ports.paths.push_back(
        {std::make_unique<SocketPort>(std::move(*media)), std::make_unique<SocketPort>(std::move(*control))});
  }
  if (const auto opened = open_site_paths(wall, server, band, ports.paths); !opened) return opened.error();
  return ports;
}

}  // namespace lw
