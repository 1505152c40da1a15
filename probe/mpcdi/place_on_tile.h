// Where a region of an MPCDI buffer lies on the wall, and how the places of its warp become places on its tile.
#pragma once

#include "common/wall/tile.h"
#include "probe/mpcdi/description.h"

namespace lw {

// What the values of a warp count: fractions of their region, as MPCDI defines, or of the buffer, as some programs
// write them.
enum class WarpValues : bool { of_region, of_buffer };

// In pixels of the wall.
struct Canvas {
  double x = 0;  // of its left edge
  double width = 0, height = 0;
};

// x and y of a warp, y from the bottom, become x_scale * x + x_from and y_scale * y + y_from on the tile, y from the
// top.
struct PlaceOnTile {
  double x_scale = 1, x_from = 0, y_scale = -1, y_from = 1;
};

// The smallest tile that has the region: walls have tiles of whole pixels, and of even width and place.
Rect tile_of(const MpcdiRegion& region, const Canvas& canvas);
// Exact also where the tile is a pixel larger than the region.
PlaceOnTile place_on_tile(const MpcdiRegion& region, const Canvas& canvas, const Rect& tile, WarpValues values);
// No more than a hundredth of a pixel from a panel that shows the tile without a warp.
bool shows_tile_as_it_is(const PlaceOnTile& place, const Rect& tile);

}  // namespace lw
