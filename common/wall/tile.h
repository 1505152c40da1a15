// The tiles of a wall: a list of named rectangles. The data path knows a tile by its index in that list; messages and
// reports address it by its cell in the wall's grid.
#pragma once

#include <compare>
#include <string>

namespace lw {

// In pixels.
struct Rect {
  unsigned x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Rect&) const = default;
};

// Index of a tile in Wall::tiles.
struct TileIndex {
  unsigned value = 0;
  auto operator<=>(const TileIndex&) const = default;
};

// Column and row of a tile, counted from the top left.
struct GridCell {
  unsigned column = 0;
  unsigned row = 0;
  auto operator<=>(const GridCell&) const = default;
};

struct Tile {
  std::string name;  // "tile-2-0": of its files and folders
  Rect place;        // on the wall. Pixels between two tiles are behind their bezels and not shown.
  GridCell cell;     // its address in messages and reports
  bool operator==(const Tile&) const = default;

  // What texts for people call it: "2,0".
  [[nodiscard]] std::string number() const;
};

}  // namespace lw
