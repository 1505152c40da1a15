// Unused ports of the loopback address, for UDP and TCP.
#pragma once

#include "common/net/udp_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lw {

inline constexpr unsigned ports_claimed = 1000;

// The first of a thousand ports that belong to this program as long as it runs: test programs that run at the same time
// would find the same ports free. The name of a socket, which the kernel gives to only one of them, is the claim. All
// are below those that the kernel gives to connections (net.ipv4.ip_local_port_range), which would take a port between
// the moment when it was found free and its use.
inline unsigned first_claimed_port() {
  static const unsigned claimed = [] {
    for (unsigned first = 2'000; first + ports_claimed <= 12'000; first += ports_claimed) {
      const auto name = "lambdawall-test-ports-" + std::to_string(first);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::memcpy(address.sun_path + 1, name.data(), name.size());  // no file: an abstract name begins with a zero
      const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
      const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0)
        return first;  // open permanently
      if (fd >= 0) ::close(fd);
    }
    throw std::runtime_error("other test programs have claimed all ports");
  }();
  return claimed;
}

inline bool is_free(std::uint16_t port) {
  const auto address = Address::parse("127.0.0.1", port).value();
  const int tcp = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool free = tcp >= 0 && ::bind(tcp, address.raw(), address.raw_bytes()) == 0;
  if (tcp >= 0) ::close(tcp);
  return free && UdpSocket::bind(address).has_value();
}

// The next `count` free ports in a row, starting even; not those of the previous call, which may still get packets.
inline std::uint16_t free_even_ports(unsigned count) {
  static unsigned next = 0;
  const unsigned step = count + count % 2;
  for (unsigned tried = 0; tried < ports_claimed; tried += step) {
    if (next + count > ports_claimed) next = 0;
    const unsigned base = first_claimed_port() + next;
    next += step;
    unsigned free = 0;
    while (free < count && is_free(static_cast<std::uint16_t>(base + free))) ++free;
    if (free == count) return static_cast<std::uint16_t>(base);
  }
  throw std::runtime_error("no free ports");
}

}  // namespace lw
