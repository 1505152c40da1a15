// UDP ports of the loopback address that nobody uses.
#pragma once

#include "common/net/udp_socket.h"

#include <cstdint>
#include <stdexcept>

namespace lw {

// The first, even, of `count` free ones in a row.
inline std::uint16_t free_even_ports(unsigned count) {
  for (unsigned base = 41'000; base + count < 60'000; base += count + count % 2) {
    unsigned free = 0;
    while (free < count &&
           UdpSocket::bind(Address::parse("127.0.0.1", static_cast<std::uint16_t>(base + free)).value()))
      ++free;
    if (free == count) return static_cast<std::uint16_t>(base);
  }
  throw std::runtime_error("no free ports");
}

}  // namespace lw
