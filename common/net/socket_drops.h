// The number of packets that the kernel dropped at a socket since it was opened, because its buffer was full or a
// filter rejected them. Wraps at 32 bits. SO_RXQ_OVFL reports it only with a received packet; this reads it without
// one, so that the last drops count too.
#pragma once

#include "common/net/udp_socket.h"

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

// Empty if the kernel does not report it (before Linux 4.12).
inline std::optional<std::uint32_t> socket_drops(int fd) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> figures{};
  socklen_t bytes = sizeof(figures);
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, figures.data(), &bytes) != 0) return {};
  if (bytes <= SK_MEMINFO_DROPS * sizeof(figures[0])) return {};
  return figures[SK_MEMINFO_DROPS];
}

inline std::uint32_t drops_of(const UdpSocket& socket) { return socket_drops(socket.fd()).value_or(0); }

}  // namespace lw
