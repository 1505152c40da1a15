// Decodes the blocks of the compressed pixel formats: the reference for GPUs' samplers, and for posters, dumps and
// headless nodes. Written from the Khronos Data Format Specification 1.3, chapters 18 (S3TC) and 20 (BPTC); alpha is
// not decoded, because tiles are opaque. Any bytes are a valid block. (Fuzzed.)
//
// BC7 has one right result. For BC1 the specification leaves it to GPUs how the colours between a block's two are
// rounded: here to the nearest value, from which Mesa's llvmpipe differs by at most 1 of 255.
#pragma once

#include "common/pixel/pixel_format.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

inline constexpr unsigned block_side = 4;  // pixels

// R G B of its 16 pixels, row by row.
using BlockPixels = std::array<std::uint8_t, std::size_t{block_side} * block_side * 3>;

// Of a format with blocks.
BlockPixels decode_block(PixelFormat format, const std::byte* block);
// A frame of them. `rgb` has rows of width * 3 bytes, `stride` bytes apart.
void decode_blocks(PixelFormat format, const std::byte* blocks, unsigned width, unsigned height, std::uint8_t* rgb,
                   std::size_t stride);

}  // namespace lw
