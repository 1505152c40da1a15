// FFmpeg's C structures with owners, and its error codes as text. Only ingest uses FFmpeg.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace lw::av {

template <auto Free>
struct FreeByAddress {
  template <class T>
  void operator()(T* value) const {
    Free(&value);
  }
};

using Frame = std::unique_ptr<AVFrame, FreeByAddress<av_frame_free>>;
using Packet = std::unique_ptr<AVPacket, FreeByAddress<av_packet_free>>;
using Codec = std::unique_ptr<AVCodecContext, FreeByAddress<avcodec_free_context>>;
using Format = std::unique_ptr<AVFormatContext, FreeByAddress<avformat_close_input>>;
using Graph = std::unique_ptr<AVFilterGraph, FreeByAddress<avfilter_graph_free>>;

// "No frame now", where the type of a bare nullptr would not do.
inline constexpr const AVFrame* no_frame = nullptr;

inline std::string words(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

// Where a line of a plane begins.
template <class T>
const T* line_of(const AVFrame& frame, int plane, std::ptrdiff_t y) {
  return reinterpret_cast<const T*>(frame.data[plane] + y * frame.linesize[plane]);
}
template <class T>
T* line_of(AVFrame& frame, int plane, std::ptrdiff_t y) {
  return reinterpret_cast<T*>(frame.data[plane] + y * frame.linesize[plane]);
}

}  // namespace lw::av
