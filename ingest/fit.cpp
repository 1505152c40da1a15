#include "ingest/fit.h"

extern "C" {
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include <fmt/format.h>

#include <algorithm>

#include "ingest/caught.h"
#include "ingest/deep_rgb.h"

namespace lw {
namespace {

// FFmpeg's black has a chroma of 514 in 10 bits; neutral is 512. Everything outside `content` becomes black.
void paint_borders_10(AVFrame& picture, const Rect& content) {
  for (int plane = 0; plane < 3; ++plane) {
    const unsigned shift = plane == 0 ? 0 : 1;
    const std::uint16_t black = plane == 0 ? 64 : 512;
    const auto width = static_cast<unsigned>(picture.width) >> shift;
    for (unsigned y = 0; y < static_cast<unsigned>(picture.height); ++y) {
      auto* line = av::line_of<std::uint16_t>(picture, plane, y);
      const bool inside = y >= content.y && y < content.y + content.height;
      const auto left = inside ? content.x >> shift : width;
      const auto right = inside ? (content.x + content.width + shift) >> shift : width;
      std::fill(line, line + left, black);
      std::fill(line + right, line + width, black);
    }
  }
}

}  // namespace

Result<void> FitGraph::build(const AVFrame& first) {
  if (auto known = check_matrix(first); !known) return known;
  const auto chain = fit_chain(wanted_, first);
  converter_.reset();
  if (chain.to_convert) converter_.emplace(*chain.to_convert, wanted_, threads_);
  painted_around_ = chain.painted_around;
  graph_.reset(avfilter_graph_alloc());
  graph_->nb_threads = static_cast<int>(threads_);  // slices of a frame; their number does not change the pixels
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
    error = avfilter_graph_parse_ptr(graph_.get(), chain.filters.c_str(), &inputs, &outputs, nullptr);
  }
  if (error >= 0) error = avfilter_graph_config(graph_.get(), nullptr);
  avfilter_inout_free(&inputs);
  avfilter_inout_free(&outputs);
  if (error < 0) return Error{"cannot fit a frame of this size and format: " + av::words(error), "try another --fit"};
  width_ = first.width;
  height_ = first.height;
  format_ = first.format;
  colour_ = source_colour(first);
  return {};
}

Result<void> FitGraph::push(const AVFrame* frame) {
  if (frame == nullptr) {
    // The end has a time: without it a change of rate would drop the last frame.
    if (source_ != nullptr && av_buffersrc_close(source_, end_, 0) < 0)
      return Error{"cannot process the end of the input", ""};
    return {};
  }
  av_frame_unref(tagged_.get());
  if (av_frame_ref(tagged_.get(), frame) < 0) return no_memory();
  complete_tags(*tagged_, wanted_.tags);
  auto pushed = push_tagged(*tagged_);
  av_frame_unref(tagged_.get());
  return pushed;
}

Result<void> FitGraph::push_tagged(const AVFrame& frame) {
  if (!has_alpha(frame)) return push_opaque(frame);
  const auto opaque = put_under(wanted_.background, frame, opaque_);
  if (!opaque) return opaque.error();
  return push_opaque(**opaque);
}

Result<void> FitGraph::push_opaque(const AVFrame& frame) {
  if (!is_deep_rgb(frame)) return push_prepared(frame);
  // Colours are converted from all the bits.
  const bool all_bits = needs_converter(frame, wanted_) || info(wanted_.format).depth > 8;
  const auto prepared = prepare_deep_rgb(frame, all_bits, prepared_);
  if (!prepared) return prepared.error();
  return push_prepared(**prepared);
}

Result<void> FitGraph::push_prepared(const AVFrame& frame) {
  if (frame.width != width_ || frame.height != height_ || frame.format != format_ || source_colour(frame) != colour_)
    if (auto built = build(frame); !built) return built;
  const auto rate = wanted_.rate.value_or(FrameRate{1, 1});
  const auto duration = frame.pkt_duration > 0
                            ? frame.pkt_duration
                            : av_rescale_q(1, AVRational{rate.denominator, rate.numerator}, time_base_);
  end_ = frame.pts + duration;
  if (const int error = av_buffersrc_add_frame_flags(source_, const_cast<AVFrame*>(&frame), AV_BUFFERSRC_FLAG_KEEP_REF);
      error < 0)
    return Error{"cannot fit a frame: " + av::words(error), "try another --fit"};
  return {};
}

Result<const AVFrame*> FitGraph::pull() {
  if (sink_ == nullptr) return av::no_frame;
  av_frame_unref(out_.get());
  const int error = av_buffersink_get_frame(sink_, out_.get());
  if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return av::no_frame;
  if (error < 0) return Error{"cannot fit a frame: " + av::words(error), "try another --fit"};
  if (converter_) {
    auto converted = converter_->convert(*out_);
    if (!converted) return converted.error();
    converted_ = std::move(*converted);
    return converted_.get();
  }
  if (painted_around_) {
    if (av_frame_make_writable(out_.get()) < 0) return no_memory();
    paint_borders_10(*out_, *painted_around_);
  }
  return out_.get();
}

}  // namespace lw
