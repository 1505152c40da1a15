// Converts frames that have the wall's size, but still a source's colours, to the wall's colours and pixel format.
#pragma once

#include <optional>
#include <vector>

#include "common/base/result.h"
#include "common/pixel/colour.h"
#include "common/pixel/pixel_format.h"
#include "ingest/av.h"
#include "ingest/colour_map.h"
#include "ingest/fit_chain.h"
#include "ingest/frame_pool.h"

namespace lw {

class ColourConverter {
public:
  // For frames that the chain with this end makes.
  ColourConverter(const FitChain::SourceColours& from, const Wanted& to, unsigned threads);

  // A frame in av_format() of the wall's format, with the time of `frame`. Black around the content. The number of
  // threads does not change it.
  Result<av::Frame> convert(const AVFrame& frame);

private:
  void convert_row(const AVFrame& from, int y, AVFrame& to, std::vector<float>& line) const;

  FitChain::SourceColours from_;
  PixelFormat format_;
  Primaries wall_;
  unsigned threads_;
  std::optional<ColourMap> map_;  // none: the colours stay
  FramePool pool_;
};

}  // namespace lw
