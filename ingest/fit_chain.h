// The chain of FFmpeg filters that brings a source's frames to the wall's picture.
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
  std::optional<FrameRate> rate;  // conversion by leaving out and repeating; none: frame by frame
};

struct FitChain {
  std::string filters;                 // as avfilter_graph_parse takes them
  std::optional<Rect> painted_around;  // 10-bit borders around this rectangle are still to be painted
};

// What FFmpeg calls a pixel format; 10-bit groups are packed from it by tile_split.
AVPixelFormat av_format(PixelFormat format);
// For frames like `first`. One that has the picture's size and format already passes through bit by bit.
FitChain fit_chain(const Wanted& wanted, const AVFrame& first);

}  // namespace lw
