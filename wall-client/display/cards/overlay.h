// What an operator wants drawn on a tile instead of, or over, its stream.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>

namespace lw {

enum class Pattern : std::uint8_t { none, identify, grid, bar, ramp, black };

struct TileOverlay {
  TileId tile;
  Pattern pattern = Pattern::none;
  bool identify = false;  // tile, node and resolution over the frame
  bool mark = false;      // bars beside rows that are concealed
};

}  // namespace lw
