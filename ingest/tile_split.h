// Cuts a tile's pixels out of the wall's picture, in the store's byte order. What lies behind a bezel is left out.
#pragma once

#include "common/base/result.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"

#include <cstddef>
#include <span>

namespace lw {

// Error when the tiles of this wall do not begin on pixel groups.
Result<void> can_split(const Wall& wall, PixelFormat format);
// `picture` is in av_format(format); `out` has the bytes of one tile.
void split_tile(const AVFrame& picture, PixelFormat format, const Rect& tile, std::span<std::byte> out);

}  // namespace lw
