// The files of an MPCDI region as a wall file names them: warps and maps (wall-client/display/output reads them).
#pragma once

#include "common/base/result.h"
#include "probe/mpcdi/place_on_tile.h"

#include <string>
#include <string_view>

namespace lw {

struct TileWarp {
  std::string pfm;  // as `warp` of the wall file
  // Of the values in the file, where it shows something.
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
};

// `pfm`: MPCDI's, whose rows begin at the panel's bottom, and whose y begins at the region's bottom.
Result<TileWarp> tile_warp(std::string_view pfm, const PlaceOnTile& place);
// Of a region without a warp, whose tile is larger by less than a pixel.
std::string plain_warp(const PlaceOnTile& place);

struct TileMap {
  std::string png;        // as `blend` or `black_lift` of the wall file
  bool coloured = false;  // its colours were dropped
};

// `png`: MPCDI's. Each value becomes value ^ exponent.
Result<TileMap> tile_map(std::string_view png, double exponent);

}  // namespace lw
