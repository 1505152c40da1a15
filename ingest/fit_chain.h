// The chain of FFmpeg filters that converts a source's frames to the wall's format.
#pragma once

#include <optional>
#include <string>

#include "common/pixel/pixel_format.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"
#include "ingest/fit_size.h"

namespace lw {

struct Wanted {
  Rect picture;
  PixelFormat format = PixelFormat::rgb8;
  Fit fit = Fit::fit;
  std::optional<FrameRate> rate;  // conversion by dropping and repeating; none: frame by frame
};

struct FitChain {
  std::string filters;                 // as avfilter_graph_parse takes them
  std::optional<Rect> painted_around;  // 10-bit borders around this rectangle are still to be painted
};

// FFmpeg's name for a pixel format; tile_split packs 10-bit groups from it.
AVPixelFormat av_format(PixelFormat format);
// Of a frame in it.
std::size_t fitted_bytes(PixelFormat format, const Rect& whole);
// For frames like `first`. A frame that already has the wall's size and format passes through unchanged.
FitChain fit_chain(const Wanted& wanted, const AVFrame& first);

}  // namespace lw
