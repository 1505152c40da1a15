#include "server/control/announcement.h"

#include "common/base/short_text.h"
#include "common/messages/rpc.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace lw {

Announcement announcement_of(const Wall& wall, std::string at, std::uint16_t port) {
  const auto& grid = wall.grid;
  const auto pixels = std::accumulate(
      wall.tiles.begin(), wall.tiles.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Tile& tile) { return sum + std::uint64_t{tile.place.width} * tile.place.height; });
  return {wall.name,
          port,
          {"wall=" + wall.name, fmt::format("columns={}", grid.columns), fmt::format("rows={}", grid.rows),
           fmt::format("pixels={}", pixels), "version=" LW_VERSION, fmt::format("protocol={}", protocol_version)},
          std::move(at)};
}

std::string service_name(std::string_view name, unsigned attempt) {
  const auto suffix = attempt > 1 ? fmt::format(" #{}", attempt) : std::string();
  return short_text(name, Announcement::name_bytes_max - suffix.size()) + suffix;
}

}  // namespace lw
