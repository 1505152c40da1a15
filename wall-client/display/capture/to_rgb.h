// Converts pixels to RGB on the CPU, for dumps of a headless node and for tests of the shaders: by the matrix of the
// wall's primaries, video range; chroma sited on even pixels, odd pixels take the mean of their neighbours (as in
// shaders/ycbcr.glsl). Blocks are decoded by common/pixel/block_decoder.h.
#pragma once

#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

// One row of an uncompressed format. `rgb` has width * 3 values; 8-bit formats.
void row_to_rgb8(PixelFormat format, const std::byte* row, unsigned width, std::uint8_t* rgb,
                 Primaries primaries = Primaries::bt709);
// One row to 16 bits per channel; any uncompressed format.
void row_to_rgb16(PixelFormat format, const std::byte* row, unsigned width, std::uint16_t* rgb,
                  Primaries primaries = Primaries::bt709);

// One pixel of a frame, with 8 bits per channel; any format.
std::array<std::uint8_t, 3> pixel_to_rgb8(PixelFormat format, const std::byte* frame, unsigned width, unsigned x,
                                          unsigned y, Primaries primaries = Primaries::bt709);

// One row of black pixel groups.
void fill_black(PixelFormat format, unsigned width, std::byte* row);

}  // namespace lw
