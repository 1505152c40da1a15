// The sockets of a flow in a relay. One thread (the flow's).
#pragma once

#include "common/base/result.h"
#include "common/net/udp_socket.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <cstddef>

namespace lw {

struct RelayPorts {
  // Bound to the relay's address. The kernel drops what comes neither from the flow's server nor from its
  // standby.
  UdpSocket from_server, control_from_server;
  // Bound to the address from which the site's packets come; connected to the group or the node, and to the node.
  UdpSocket to_site, control_to_site;
  std::size_t receive_buffer_bytes = 0;  // of from_server, as granted by the kernel
};

// `site` has a relay. An error names what cannot be opened.
Result<RelayPorts> open_relay_ports(const Wall& wall, const WallSite& site, const Band& band);

}  // namespace lw
