// The tiles of a wall: a list of named rectangles. The data path uses a tile's index in that list; messages and reports
// use its cell in the wall's grid.
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
  std::string name;  // "tile-2-0": for files and folders
  Rect place;        // on the wall. Pixels between two tiles are hidden behind their bezels.
  GridCell cell;     // its address in messages and reports
  bool operator==(const Tile&) const = default;

  // Its name in texts for people: "2,0".
  [[nodiscard]] std::string number() const;
};

}  // namespace lw
