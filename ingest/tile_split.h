// Cuts a tile's pixels out of the wall's frame, in the store's byte order, and puts them back. Skips the pixels behind
// the bezels.
#pragma once

#include "common/base/result.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"

#include <cstddef>
#include <span>

namespace lw {

// Error if the tiles of this wall do not begin on pixel groups.
Result<void> can_split(const Wall& wall, PixelFormat format);
// `picture`: a frame of the wall in av_format(format); `out` has the bytes of one tile. `bands`: of the tile, if the
// format's frames vary in length.
void split_tile(const AVFrame& picture, PixelFormat format, const Rect& tile, unsigned bands, std::span<std::byte> out);
// The reverse. Blocks and lossless bands are decoded; false if the latter are damaged.
bool put_tile(std::span<const std::byte> pixels, PixelFormat format, const Rect& tile, AVFrame& picture);

}  // namespace lw
