#include "ingest/fit.h"

#include "ingest/deep_rgb.h"

extern "C" {
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

bool is_rgb(int format) {
  const auto* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return descriptor != nullptr && (descriptor->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

// The matrix of a YCbCr source; untagged ones are what their size suggests, or what the wall means if made for it.
const char* matrix_of(const AVFrame& frame, bool made_for_wall) {
  switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
      return "bt709";
    case AVCOL_SPC_BT2020_NCL:
      return "bt2020";
    case AVCOL_SPC_SMPTE240M:
      return "smpte240m";
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return "bt601";
    default:
      return frame.height >= 720 || made_for_wall ? "bt709" : "bt601";
  }
}

const char* range_of(const AVFrame& frame) {
  if (frame.color_range == AVCOL_RANGE_JPEG || is_rgb(frame.format)) return "pc";
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const bool jpeg = format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_YUVJ422P || format == AV_PIX_FMT_YUVJ444P;
  const bool grey = av_pix_fmt_desc_get(format)->nb_components <= 2 && frame.color_range == AVCOL_RANGE_UNSPECIFIED;
  return jpeg || grey ? "pc" : "tv";
}

bool is_422(const AVFrame& frame) {
  const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  return !is_rgb(frame.format) && format->nb_components >= 3 && format->log2_chroma_w == 1 &&
         format->log2_chroma_h == 0;
}

// The filters that turn a picture upright, as its display matrix (x' = a x + c y, y' = b x + d y) says.
struct Upright {
  bool transposed = false;
  bool mirrored_x = false;
  bool mirrored_y = false;
};

Upright upright_of(const AVFrame& frame) {
  const auto* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (side == nullptr || side->size < 9 * sizeof(std::int32_t)) return {};
  const auto* matrix = reinterpret_cast<const std::int32_t*>(side->data);
  const auto size = [](std::int32_t value) { return std::abs(static_cast<std::int64_t>(value)); };
  if (size(matrix[1]) > size(matrix[0])) return {true, matrix[3] < 0, matrix[1] < 0};
  return {false, matrix[0] < 0, matrix[4] < 0};
}

}  // namespace

AVPixelFormat FitGraph::av_format(PixelFormat format) {
  switch (format) {
    case PixelFormat::ycbcr422_8:
      return AV_PIX_FMT_UYVY422;
    case PixelFormat::ycbcr422_10:
      return AV_PIX_FMT_YUV422P10LE;
    case PixelFormat::rgb8:
      break;
  }
  return AV_PIX_FMT_RGB24;
}

std::string FitGraph::description(const AVFrame& first) const {
  const auto w = wanted_.picture.width;
  const auto h = wanted_.picture.height;
  const auto target = av_format(wanted_.format);
  const bool to_rgb = wanted_.format == PixelFormat::rgb8;
  const auto upright = upright_of(first);
  Size source{static_cast<unsigned>(first.width), static_cast<unsigned>(first.height)};
  double aspect =
      first.sample_aspect_ratio.num > 0 && first.sample_aspect_ratio.den > 0 ? av_q2d(first.sample_aspect_ratio) : 1;
  if (upright.transposed) {
    std::swap(source.width, source.height);
    aspect = 1 / aspect;
  }
  const auto size = fitted_size(source, aspect, wanted_.picture, wanted_.fit, !to_rgb);
  const bool made_for_wall = !to_rgb && source == Size{w, h} && is_422(first);
  const std::string matrix = matrix_of(first, made_for_wall);
  const std::string range = range_of(first);

  std::string chain;
  const auto add = [&chain](const std::string& filter) { chain += (chain.empty() ? "" : ",") + filter; };
  if (wanted_.rate) add(fmt::format("fps={}/{}", wanted_.rate->numerator, wanted_.rate->denominator));
  if (upright.transposed) add("transpose=cclock_flip");
  if (upright.mirrored_x) add("hflip");
  if (upright.mirrored_y) add("vflip");
  if (wanted_.fit == Fit::exact && (size.width > w || size.height > h))
    add(fmt::format("crop=min(iw\\,{}):min(ih\\,{})", w, h));
  const bool native = first.format == target && (to_rgb || matrix == "bt709") && range == (to_rgb ? "pc" : "tv");
  if (size != source || !native) {
    const auto scaled = size != source ? fmt::format("w={}:h={}:", size.width, size.height) : std::string();
    const auto input = is_rgb(first.format) ? std::string() : fmt::format("in_color_matrix={}:", matrix);
    const auto output = to_rgb ? "out_range=pc" : "out_color_matrix=bt709:out_range=tv:out_h_chr_pos=0";
    add(fmt::format("scale={}{}in_range={}:{}:flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp", scaled,
                    input, range, output));
    add(fmt::format("format={}", av_get_pix_fmt_name(target)));
  }
  if (wanted_.fit == Fit::fill && size != Size{w, h}) add(fmt::format("crop={}:{}", w, h));
  if (size.width < w || size.height < h) {
    // FFmpeg's pad cannot paint UYVY: borders are painted in the planar twin.
    if (wanted_.format == PixelFormat::ycbcr422_8) add("format=yuv422p");
    add(fmt::format("pad={}:{}:(ow-iw)/2:(oh-ih)/2", w, h));
    if (wanted_.format == PixelFormat::ycbcr422_8) add("format=uyvy422");
  }
  return chain.empty() ? "null" : chain;
}

Result<void> FitGraph::build(const AVFrame& first) {
  graph_.reset(avfilter_graph_alloc());
  const auto source_options =
      fmt::format("video_size={}x{}:pix_fmt={}:time_base={}/{}:pixel_aspect={}/{}", first.width, first.height,
                  first.format, time_base_.num, time_base_.den, std::max(first.sample_aspect_ratio.num, 1),
                  std::max(first.sample_aspect_ratio.den, 1));
  AVFilterInOut* inputs = avfilter_inout_alloc();
  AVFilterInOut* outputs = avfilter_inout_alloc();
  int error = avfilter_graph_create_filter(&source_, avfilter_get_by_name("buffer"), "in", source_options.c_str(),
                                           nullptr, graph_.get());
  if (error >= 0)
    error =
        avfilter_graph_create_filter(&sink_, avfilter_get_by_name("buffersink"), "out", nullptr, nullptr, graph_.get());
  if (error >= 0) {
    *outputs = {av_strdup("in"), source_, 0, nullptr};
    *inputs = {av_strdup("out"), sink_, 0, nullptr};
    error = avfilter_graph_parse_ptr(graph_.get(), description(first).c_str(), &inputs, &outputs, nullptr);
  }
  if (error >= 0) error = avfilter_graph_config(graph_.get(), nullptr);
  avfilter_inout_free(&inputs);
  avfilter_inout_free(&outputs);
  if (error < 0)
    return Error{"a picture of this size and format cannot be fitted: " + av::words(error), "try another --fit"};
  width_ = first.width;
  height_ = first.height;
  format_ = first.format;
  return {};
}

Result<void> FitGraph::push(const AVFrame* frame) {
  if (frame == nullptr) {
    // The end has a time: without it a change of rate would leave the last frame out.
    if (source_ != nullptr && av_buffersrc_close(source_, end_, 0) < 0)
      return Error{"the end of the input cannot be handled", ""};
    return {};
  }
  if (wanted_.format != PixelFormat::rgb8 || !is_deep_rgb(*frame)) return push_prepared(*frame);
  const auto rounded = round_to_rgb24(*frame);
  if (!rounded) return rounded.error();
  return push_prepared(**rounded);
}

Result<void> FitGraph::push_prepared(const AVFrame& frame) {
  if (frame.width != width_ || frame.height != height_ || frame.format != format_)
    if (auto built = build(frame); !built) return built;
  const auto rate = wanted_.rate.value_or(FrameRate{1, 1});
  const auto duration = frame.pkt_duration > 0
                            ? frame.pkt_duration
                            : av_rescale_q(1, AVRational{rate.denominator, rate.numerator}, time_base_);
  end_ = frame.pts + duration;
  if (const int error = av_buffersrc_add_frame_flags(source_, const_cast<AVFrame*>(&frame), AV_BUFFERSRC_FLAG_KEEP_REF);
      error < 0)
    return Error{"a frame cannot be fitted: " + av::words(error), "try another --fit"};
  return {};
}

Result<const AVFrame*> FitGraph::pull() {
  if (sink_ == nullptr) return av::no_frame;
  av_frame_unref(out_.get());
  const int error = av_buffersink_get_frame(sink_, out_.get());
  if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return av::no_frame;
  if (error < 0) return Error{"a frame cannot be fitted: " + av::words(error), "try another --fit"};
  return out_.get();
}

}  // namespace lw
