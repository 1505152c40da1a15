#include "server/control/path_watch.h"

namespace lw {

std::optional<PlayEvent> PathWatch::update(const std::array<std::uint64_t, 2>& packets, LocalTime now) {
  std::array<bool, 2> came{};
  for (std::size_t path = 0; path < 2; ++path) {
    came[path] = packets[path] > before_[path];
    if (came[path] || !heard_[path]) heard_[path] = now;
  }
  before_ = packets;
  for (std::size_t path = 0; path < 2; ++path) {
    const std::string name = path == 0 ? "the first path" : "the second path";
    if (lost_[path] && came[path]) {
      lost_[path] = false;
      return flow_.event(Severity::info, "path-back", name + " delivers packets again");
    }
    if (!lost_[path] && came[1 - path] && now - *heard_[path] > silence) {
      lost_[path] = true;
      return flow_.event(Severity::warning, "path-lost", name + " delivers nothing; the other continues");
    }
  }
  return std::nullopt;
}

}  // namespace lw
