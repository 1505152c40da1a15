// Brings a source's frames to the wall's picture: size, pixel format and frame rate, by FFmpeg's filters. A source that
// has the picture's size and format already passes through bit by bit.
#pragma once

#include "common/base/result.h"
#include "common/wall/geometry.h"
#include "ingest/av.h"
#include "ingest/fit_size.h"

#include <optional>
#include <string>

namespace lw {

class FitGraph {
public:
  struct Wanted {
    Rect picture;
    PixelFormat format = PixelFormat::rgb8;
    Fit fit = Fit::fit;
    std::optional<FrameRate> rate;  // conversion by leaving out and repeating; none: frame by frame
  };
  FitGraph(const Wanted& wanted, AVRational time_base) : wanted_(wanted), time_base_(time_base) {}

  // A frame of the source, nullptr for its end.
  Result<void> push(const AVFrame* frame);
  // The next frame of the picture's size in av_format(); nullptr when more must be pushed, or after the end.
  Result<const AVFrame*> pull();

  // What FFmpeg calls a pixel format; 10-bit groups are packed from it by tile_split.
  static AVPixelFormat av_format(PixelFormat format);

private:
  Result<void> build(const AVFrame& first);
  Result<void> push_prepared(const AVFrame& frame);
  [[nodiscard]] std::string description(const AVFrame& first) const;

  Wanted wanted_;
  AVRational time_base_;
  av::Graph graph_;
  AVFilterContext* source_ = nullptr;
  AVFilterContext* sink_ = nullptr;
  av::Frame out_{av_frame_alloc()};
  std::int64_t end_ = 0;  // of the newest frame, in time_base_
  // A source whose pictures change size or format gets a new graph.
  int width_ = 0;
  int height_ = 0;
  int format_ = -1;
};

}  // namespace lw
