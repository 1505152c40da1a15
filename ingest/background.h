// Puts a colour behind transparent pixels: a wall's tiles are opaque.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/frame_pool.h"

namespace lw {

// sRGB; black unless the user chooses another.
struct Background {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Background&) const = default;
};

// "#rrggbb" or a name that FFmpeg knows, such as "white".
Result<Background> parse_background(const std::string& text);

// Whether the frame has an alpha channel that put_under() can read.
bool has_alpha(const AVFrame& frame);
// The frame over the background, without alpha, in a format of the same kind and at least the same depth; with its time
// and other properties. Integers are straight: colours are those of the opaque pixel, and are mixed as they are
// encoded. Floats are from EXR, whose colours are multiplied by alpha already, in linear light: they are mixed in
// linear light. Its memory is from `pool`.
Result<av::Frame> put_under(const Background& background, const AVFrame& frame, FramePool& pool);

}  // namespace lw
