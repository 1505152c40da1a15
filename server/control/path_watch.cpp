#include "server/control/path_watch.h"

#include <fmt/format.h>

namespace lw {

std::optional<PlayEvent> PathWatch::update(const std::array<std::uint64_t, 2>& packets, LocalTime now) {
  std::array<bool, 2> came{};
  for (std::size_t path = 0; path < 2; ++path) {
    came[path] = packets[path] > before_[path];
    if (came[path] || !heard_[path]) heard_[path] = now;
  }
  before_ = packets;
  for (std::size_t path = 0; path < 2; ++path) {
    const auto about = fmt::format("flow {} (tile {}, {}): the {} path", flow_, tile_.column, tile_.row,
                                   path == 0 ? "first" : "second");
    if (lost_[path] && came[path]) {
      lost_[path] = false;
      return PlayEvent{Severity::info, "path-back", about + " brings packets again", tile_, flow_};
    }
    if (!lost_[path] && came[1 - path] && now - *heard_[path] > silence) {
      lost_[path] = true;
      return PlayEvent{Severity::warning, "path-lost", about + " brings nothing; the other carries on", tile_, flow_};
    }
  }
  return std::nullopt;
}

}  // namespace lw
