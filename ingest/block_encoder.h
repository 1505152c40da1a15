// Encodes RGB pixels as blocks of the compressed pixel formats (common/pixel/block_decoder.h has their specification).
// Many blocks are encoded at once, one in each lane of the processor's widest vectors; every processor makes the same
// bytes.
#pragma once

#include "common/pixel/pixel_format.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

struct RgbPixels {
  const std::uint8_t* first = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from a row to the next one
  unsigned width = 0;
  unsigned height = 0;
};

// `out` has frame_bytes. Pixels of blocks that are beyond the right or lower edge repeat those of the edge.
void encode_blocks(PixelFormat format, const RgbPixels& pixels, std::span<std::byte> out);

}  // namespace lw
