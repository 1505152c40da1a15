// The number of packets that the kernel dropped at a socket since it was opened, because its buffer was full or a
// filter rejected them. Wraps at 32 bits.
#pragma once

#include "common/net/udp_socket.h"

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>

namespace lw {

inline std::uint32_t drops_of(const UdpSocket& socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t bytes = sizeof(memory);
  getsockopt(socket.fd(), SOL_SOCKET, SO_MEMINFO, memory.data(), &bytes);
  return memory[SK_MEMINFO_DROPS];
}

}  // namespace lw
