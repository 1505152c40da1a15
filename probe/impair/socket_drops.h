// The number of packets that the kernel dropped because a socket's receive buffer was full. SO_RXQ_OVFL reports it only
// with a received packet; this reads it without one, so that the last drops count too.
#pragma once

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

// Since the socket was opened, modulo 2^32; empty if the kernel does not report it (before Linux 4.12).
inline std::optional<std::uint32_t> socket_drops(int fd) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> figures{};
  socklen_t bytes = sizeof(figures);
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, figures.data(), &bytes) != 0) return {};
  if (bytes <= SK_MEMINFO_DROPS * sizeof(figures[0])) return {};
  return figures[SK_MEMINFO_DROPS];
}

}  // namespace lw
