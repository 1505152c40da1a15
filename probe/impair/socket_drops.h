// Packets that the kernel dropped at a socket because its receive buffer was full: the counter of SO_RXQ_OVFL, which
// comes with a packet that is received, is here read without one, so that the last drops also count.
#pragma once

#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

// Since the socket was opened, modulo 2^32; nothing where the kernel does not say (before Linux 4.12).
inline std::optional<std::uint32_t> socket_drops(int fd) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> figures{};
  socklen_t bytes = sizeof(figures);
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, figures.data(), &bytes) != 0) return {};
  if (bytes <= SK_MEMINFO_DROPS * sizeof(figures[0])) return {};
  return figures[SK_MEMINFO_DROPS];
}

}  // namespace lw
