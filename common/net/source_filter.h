// Keeps unknown sources out of a UDP socket: the kernel drops packets from hosts other than these before they wake a
// thread or use the socket's buffer. A flood from elsewhere then costs the receiving thread nothing. Dropped packets
// count as the socket's drops (SO_RXQ_OVFL).
#pragma once

#include "common/net/address.h"
#include "common/net/udp_socket.h"

#include <span>

namespace lw {

// False if the kernel refuses: all packets are still received. `hosts`: all must have the socket's address family.
bool admit_only(const UdpSocket& socket, std::span<const Address> hosts);

}  // namespace lw
