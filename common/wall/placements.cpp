#include "common/wall/placements.h"

#include "common/base/short_text.h"
#include "common/wall/output_keys.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace lw {
namespace {

unsigned unsigned_of(TomlSection& section, std::string_view key, std::int64_t most) {
  return static_cast<unsigned>(section.number(key, {0, most}));
}

// Windows without a position are placed as on the wall; those of a grid side by side, without bezels.
void place_window(const Wall& wall, TilePlacement& placement) {
  const auto& tile = wall.tile(placement.tile);
  const auto& grid = wall.grid;
  placement.window_x = static_cast<int>(grid.is_free() ? tile.place.x : tile.cell.column * grid.tile_width);
  placement.window_y = static_cast<int>(grid.is_free() ? tile.place.y : tile.cell.row * grid.tile_height);
}

void read_window(TomlSection& section, TilePlacement& placement) {
  const auto* window = section.array("window", false, "[0, 0]");
  if (!window) return;
  const auto coordinate = [&](std::size_t index) { return window->get(index)->value_exact<std::int64_t>(); };
  const auto is_near = [&](std::size_t index) {
    constexpr std::int64_t farthest = 1 << 20;
    return coordinate(index) && *coordinate(index) >= -farthest && *coordinate(index) <= farthest;
  };
  if (window->size() != 2 || !is_near(0) || !is_near(1)) {
    section.fail("window", "window is not a position on a desktop",
                 "write the pixels of its top left corner, like window = [0, 0]");
    return;
  }
  placement.window_x = static_cast<int>(*coordinate(0));
  placement.window_y = static_cast<int>(*coordinate(1));
}

void name_tile(const Wall& wall, const std::string& name, TileLines& lines) {
  lines.tile = wall.tile_named(name);
  lines.written = fmt::format("tile '{}'", short_text(name, 80));
}

// The tile that an entry names. check_wall finds those that the wall does not have.
void read_which(TomlSection& section, const Wall& wall, TileLines& lines) {
  if (!section.find("tile") && !wall.grid.is_free()) {
    const GridCell cell{unsigned_of(section, "column", 63), unsigned_of(section, "row", 63)};
    lines.tile = wall.find_tile(cell);
    lines.written = fmt::format("tile ({}, {})", cell.column, cell.row);
    return;
  }
  for (const auto* key : {"column", "row"})
    if (section.find(key))
      section.fail(key, fmt::format("a tile has a {} beside its name, or on a wall of [[tile]]", key),
                   "name it alone, like { tile = \"left\" }");
  name_tile(wall, section.text("tile"), lines);
}

}  // namespace

TilePlacement read_placement(TomlSection section, const Wall& wall, TileLines& lines) {
  TilePlacement placement;
  read_which(section, wall, lines);
  placement.tile = lines.tile.value_or(TileIndex{});
  if (section.find("monitor")) placement.monitor = unsigned_of(section, "monitor", 15);
  placement.on_part = placement.monitor && section.find("window");
  if (lines.tile) place_window(wall, placement);
  read_window(section, placement);
  placement.output = read_tile_output(section, lines.tile ? wall.tile(*lines.tile) : Tile{}, wall.colour);
  return placement;
}

TilePlacement named_placement(const Wall& wall, const std::string& name, TileLines& lines) {
  TilePlacement placement;
  name_tile(wall, name, lines);
  placement.tile = lines.tile.value_or(TileIndex{});
  if (lines.tile) place_window(wall, placement);
  return placement;
}

}  // namespace lw
