// Source-specific multicast (RFC 4607): a host joins a group for what one source sends (IGMPv3, RFC 3376; MLDv2,
// RFC 3810), at one of its interfaces.
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"
#include "common/net/udp_socket.h"

namespace lw {

bool is_multicast(const Address& address);
// 232.0.1.0 to 232.255.255.255 (RFC 4607 section 3), or FF3x:: with 32 bits of group (RFC 3306 section 6, RFC 4607
// section 4.3).
bool is_source_specific(const Address& address);

// The address that many after another one; the port is the same.
Address address_after(const Address& first, unsigned count);

// The socket's packets to groups leave by the interface of `local`, an address of this host, and pass at most `ttl` - 1
// routers. Members on this host also receive them.
Result<void> send_multicast_from(const UdpSocket& socket, const Address& local, unsigned ttl);

// The socket, bound to a port of any address, receives from now on what `source` sends to `group`, at the interface of
// `local`. It receives nothing from groups that other sockets of this host have joined.
Result<void> join_group(const UdpSocket& socket, const Address& group, const Address& source, const Address& local);

}  // namespace lw
