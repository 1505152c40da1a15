// Converts pixels to RGB on the CPU, for dumps of a headless node and for tests of the shaders. ITU-R BT.709-6, video
// range; chroma sited on even pixels, odd pixels take the mean of their neighbours (as in shaders/bt709.glsl). Blocks
// are decoded by common/pixel/block_decoder.h.
#pragma once

#include "common/pixel/pixel_format.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lw {

// One row of an uncompressed format. `rgb` has width * 3 values; 8-bit formats.
void row_to_rgb8(PixelFormat format, const std::byte* row, unsigned width, std::uint8_t* rgb);
// One row to 16 bits per channel; any uncompressed format.
void row_to_rgb16(PixelFormat format, const std::byte* row, unsigned width, std::uint16_t* rgb);

// One pixel of a frame, with 8 bits per channel; any format.
std::array<std::uint8_t, 3> pixel_to_rgb8(PixelFormat format, const std::byte* frame, unsigned width, unsigned x,
                                          unsigned y);

// One row of black pixel groups.
void fill_black(PixelFormat format, unsigned width, std::byte* row);

}  // namespace lw
