// The tiles of a wall, as its grid describes them.
#include "common/wall/wall_file.h"

#include <algorithm>

namespace lw {

void Wall::set_grid(const Grid& of_file) {
  grid = of_file;
  tiles = lw::tiles_of(grid);
}

std::optional<TileIndex> Wall::find_tile(GridCell cell) const {
  const auto found = std::ranges::find(tiles, cell, &Tile::cell);
  if (found == tiles.end()) return std::nullopt;
  return TileIndex{static_cast<unsigned>(found - tiles.begin())};
}

std::optional<TileIndex> Wall::tile_named(std::string_view tile_name) const {
  const auto found = std::ranges::find(tiles, tile_name, &Tile::name);
  if (found == tiles.end()) return std::nullopt;
  return TileIndex{static_cast<unsigned>(found - tiles.begin())};
}

}  // namespace lw
