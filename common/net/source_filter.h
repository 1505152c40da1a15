// Keeps strangers out of a UDP socket: the kernel drops what comes from other hosts than these before it wakes anybody
// or takes room in the socket's buffer. A flood from elsewhere then costs the receiving thread nothing. What is dropped
// counts as the socket's drops (SO_RXQ_OVFL).
#pragma once

#include "common/net/address.h"
#include "common/net/udp_socket.h"

#include <span>

namespace lw {

// False where the kernel refuses: everything goes on being received. `hosts`: all of the socket's address family.
bool admit_only(const UdpSocket& socket, std::span<const Address> hosts);

}  // namespace lw
