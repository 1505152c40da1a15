#include "common/wall/grid.h"

#include <fmt/format.h>

namespace lw {

Rect Grid::place(TileIndex tile) const {
  const auto [column, row] = cell(tile);
  return {column * (tile_width + bezel_x), row * (tile_height + bezel_y), tile_width, tile_height};
}

std::string Grid::name(TileIndex tile) const {
  const auto [column, row] = cell(tile);
  return fmt::format("tile-{}-{}", column, row);
}

std::vector<Tile> tiles_of(const Grid& grid) {
  std::vector<Tile> tiles;
  tiles.reserve(grid.tile_count());
  for (TileIndex tile; tile.value < grid.tile_count(); ++tile.value)
    tiles.push_back({grid.name(tile), grid.place(tile), grid.cell(tile)});
  return tiles;
}

}  // namespace lw
