// Keeps unknown sources out of a UDP socket: the kernel drops packets from other hosts than these before they wake a
// thread or take room in the socket's buffer. A flood from elsewhere then costs the receiving thread nothing. Dropped
// packets count as the socket's drops (SO_RXQ_OVFL).
#pragma once

#include "common/net/address.h"
#include "common/net/udp_socket.h"

#include <span>

namespace lw {

// False where the kernel refuses: everything goes on being received. `hosts`: all of the socket's address family.
bool admit_only(const UdpSocket& socket, std::span<const Address> hosts);

}  // namespace lw
