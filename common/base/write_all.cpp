#include "common/base/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace lw {

int write_all(int fd, std::span<const std::byte> bytes, std::optional<std::uint64_t> offset) {
  while (!bytes.empty()) {
    const auto written = offset ? ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(*offset))
                                : ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    if (offset) *offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

}  // namespace lw
