// How wall files and stores describe tiles: equal ones in columns and rows, or each with its own name, place and size.
// Pure arithmetic.
#pragma once

#include "common/wall/tile.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

// A tile that is described by itself.
struct FreeTile {
  std::string name;
  Rect place;
  bool operator==(const FreeTile&) const = default;

  static constexpr std::size_t name_bytes_max = 64;
  static constexpr unsigned count_max = 512;  // of a wall
  static constexpr unsigned place_max = 65'534;
};
// "left 1200x1920+0+140". Stores are recognized by it: it must stay as it is.
std::string to_text(const FreeTile& tile);

struct Grid {
  unsigned columns = 0;
  unsigned rows = 0;
  unsigned tile_width = 0;  // pixels; even
  unsigned tile_height = 0;
  unsigned bezel_x = 0;  // pixels hidden behind the bezels between horizontal neighbours
  unsigned bezel_y = 0;
  // Not empty: these are the tiles. `columns` is their number, `rows` is 1, and the other members are 0.
  std::vector<FreeTile> free = {};
  bool operator==(const Grid&) const = default;

  static Grid of(std::vector<FreeTile> tiles);
  [[nodiscard]] bool is_free() const { return !free.empty(); }
  // Tiles are counted row by row from the top left, or as they are described.
  [[nodiscard]] unsigned tile_count() const { return columns * rows; }
  // The first tiles, which stand for all: those of a grid are alike.
  [[nodiscard]] unsigned distinct_tiles() const { return is_free() ? tile_count() : 1; }
  [[nodiscard]] GridCell cell(TileIndex tile) const { return {tile.value % columns, tile.value / columns}; }
  [[nodiscard]] Rect place(TileIndex tile) const;
  [[nodiscard]] std::string name(TileIndex tile) const;  // "tile-2-0", or its own
  // From the top left of the wall to the outer edges of its tiles.
  [[nodiscard]] Rect picture() const;
};

// The list of tiles that a grid describes.
std::vector<Tile> tiles_of(const Grid& grid);

// Whether a tile may have this name: files and folders are named after it.
bool is_tile_name(std::string_view name);
// Two of the tiles, the first before the second: of one name (upper case or not: some file systems ignore it), or with
// a common pixel. `projectors`: by tile; two of these may have some.
using TilePair = std::pair<std::size_t, std::size_t>;
std::optional<TilePair> same_names(const std::vector<FreeTile>& tiles);
std::optional<TilePair> overlapping(const std::vector<FreeTile>& tiles, const std::vector<bool>& projectors);

}  // namespace lw
