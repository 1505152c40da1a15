#include "server/control/announcement.h"

#include "common/base/short_text.h"
#include "common/messages/rpc.h"

#include <fmt/format.h>

#include <utility>

namespace lw {

Announcement announcement_of(const Wall& wall, std::string at, std::uint16_t port) {
  const auto& grid = wall.grid;
  const auto pixels = std::uint64_t{grid.tile_width} * grid.tile_height * wall.tile_count();
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
