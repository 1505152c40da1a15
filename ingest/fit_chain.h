// The chain of FFmpeg filters that converts a source's frames to the wall's format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/pixel/pixel_format.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"
#include "ingest/background.h"
#include "ingest/fit_size.h"
#include "ingest/source_colour.h"

namespace lw {

struct Wanted {
  Rect picture;
  PixelFormat format = PixelFormat::rgb8;
  Fit fit = Fit::fit;
  std::optional<FrameRate> rate;  // conversion by dropping and repeating; none: frame by frame
  Colour colour = {};
  SourceTags tags = {};   // in place of those of the source
  bool as_it_is = false;  // images of blocks: neither size nor colours change
  Background background = {};
};

// The shares of red and blue in luma; the rest is green's.
struct LumaWeights {
  float red;
  float blue;
};

struct FitChain {
  // Of the frames at the end of a chain that leaves them with the source's colours.
  struct SourceColours {
    SourceColour colour;
    LumaWeights luma;  // of Y'CbCr
    bool full_range;
    unsigned bits;  // of the source's samples, which the scaler has shifted up to 16
    bool repeats;   // the low bits of luma are not zeros, but its high bits again
    Rect content;   // everything else is to be black
  };

  std::string filters;                 // as avfilter_graph_parse takes them
  std::optional<Rect> painted_around;  // 10-bit borders around this rectangle are still to be painted
  std::optional<SourceColours> to_convert;
};

// Of a matrix by FFmpeg's name: "bt709".
const LumaWeights& luma_weights(std::string_view matrix);

// FFmpeg's name for a pixel format; tile_split packs groups of 10 bits from it.
AVPixelFormat av_format(PixelFormat format);
// Of a frame in it.
std::size_t fitted_bytes(PixelFormat format, const Rect& whole);
// Whether its frames are converted with floats, behind the chain: to other colours, or to RGB with 10 bits, which
// FFmpeg's scaler does not round as it should.
bool needs_converter(const AVFrame& frame, const Wanted& wanted);
// For frames like `first`, with complete tags. A frame that already has the wall's size, format and colours passes
// through unchanged. Where they need a converter, the chain ends with the source's colours, as RGB24, GBRP16 (white:
// deep_rgb.h) or YUV444P16.
FitChain fit_chain(const Wanted& wanted, const AVFrame& first);

}  // namespace lw
