// Converts a source's frames to the wall's size, pixel format and frame rate with FFmpeg's filters.
#pragma once

#include <optional>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/colour_converter.h"
#include "ingest/fit_chain.h"
#include "ingest/frame_pool.h"

namespace lw {

class FitGraph {
public:
  // `threads` of FFmpeg scale each frame; 0: one for each CPU.
  FitGraph(const Wanted& wanted, AVRational time_base, unsigned threads = 0)
      : wanted_(wanted), time_base_(time_base), threads_(threads) {}

  // A frame of the source; nullptr at its end.
  Result<void> push(const AVFrame* frame);
  // The next frame of the wall's size in av_format(); nullptr when more must be pushed, or after the end.
  Result<const AVFrame*> pull();

private:
  Result<void> build(const AVFrame& first);
  Result<void> push_tagged(const AVFrame& frame);
  Result<void> push_opaque(const AVFrame& frame);
  Result<void> push_prepared(const AVFrame& frame);

  Wanted wanted_;
  AVRational time_base_;
  unsigned threads_;
  FramePool opaque_;
  FramePool prepared_;
  av::Graph graph_;
  AVFilterContext* source_ = nullptr;
  AVFilterContext* sink_ = nullptr;
  av::Frame out_{av_frame_alloc()};
  av::Frame tagged_{av_frame_alloc()};
  std::optional<ColourConverter> converter_;
  av::Frame converted_;
  std::optional<Rect> painted_around_;
  std::int64_t end_ = 0;  // of the newest frame, in time_base_
  // A source whose frames change size, format or colours gets a new graph.
  int width_ = 0;
  int height_ = 0;
  int format_ = -1;
  SourceColour colour_;
};

}  // namespace lw
