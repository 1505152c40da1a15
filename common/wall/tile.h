// The tiles of a wall: a list of named rectangles. The data path uses a tile's index in that list; messages and reports
// use its cell.
#pragma once

#include "common/wall/turn.h"

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
  std::string name;        // "tile-2-0", or that of its [[tile]]: for files and folders
  Rect place;              // on the wall. Pixels between two tiles are hidden behind their bezels.
  GridCell cell;           // its address in messages and reports; of a [[tile]], its index and 0
  bool by_name = false;    // a [[tile]]: texts for people name it, where those of a grid have its cell
  Turn turn = Turn::none;  // of its panel
  bool projector = false;  // others may overlap it
  bool operator==(const Tile&) const = default;

  // Its name in texts for people: "2,0", or "left".
  [[nodiscard]] std::string number() const;
  // The same in a list: "(2, 0)", or "left".
  [[nodiscard]] std::string in_list() const;
  // The same in a sentence: "tile (2, 0)", or "tile 'left'".
  [[nodiscard]] std::string in_words() const;
  // Of its panel, in pixels.
  [[nodiscard]] TurnSize panel() const { return panel_size(turn, size()); }
  [[nodiscard]] TurnMap turn_map() const { return lw::turn_map(turn, size()); }
  [[nodiscard]] TurnSize size() const { return {static_cast<int>(place.width), static_cast<int>(place.height)}; }
};

}  // namespace lw
