// Frames that tests make by hand.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "ingest/av.h"

inline lw::av::Frame make_frame(AVPixelFormat format, int width, int height) {
  lw::av::Frame frame(av_frame_alloc());
  frame->format = format;
  frame->width = width;
  frame->height = height;
  frame->pts = 0;
  if (av_frame_get_buffer(frame.get(), 64) < 0) throw std::runtime_error("no frame");
  return frame;
}

template <class T>
T& sample(const AVFrame& frame, int plane, int x, int y) {
  return reinterpret_cast<T*>(frame.data[plane] + static_cast<std::ptrdiff_t>(y) * frame.linesize[plane])[x];
}
