// The grid: describes tiles of equal size in columns and rows, in wall files and stores. Pure arithmetic.
#pragma once

#include "common/wall/tile.h"

#include <string>
#include <vector>

namespace lw {

struct Grid {
  unsigned columns = 0;
  unsigned rows = 0;
  unsigned tile_width = 0;  // pixels; even
  unsigned tile_height = 0;
  unsigned bezel_x = 0;  // pixels hidden behind the bezels between horizontal neighbours
  unsigned bezel_y = 0;
  bool operator==(const Grid&) const = default;

  // Tiles are counted row by row from the top left.
  [[nodiscard]] unsigned tile_count() const { return columns * rows; }
  [[nodiscard]] GridCell cell(TileIndex tile) const { return {tile.value % columns, tile.value / columns}; }
  [[nodiscard]] Rect place(TileIndex tile) const;
  [[nodiscard]] std::string name(TileIndex tile) const;  // "tile-2-0"
};

// The list of tiles that a grid describes.
std::vector<Tile> tiles_of(const Grid& grid);

}  // namespace lw
