#include "ingest/video_input.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace lw {
namespace {

constexpr const char* repair = "repair or re-encode the file";

Result<av::Codec> open_codec(const AVStream& stream, const AVCodec& codec, const std::string& name, unsigned threads) {
  av::Codec context(avcodec_alloc_context3(&codec));
  avcodec_parameters_to_context(context.get(), stream.codecpar);
  if (context->width <= 0 || context->height <= 0)
    return Error{name + " contains no image that FFmpeg can decode", not_media};
  context->thread_count = static_cast<int>(threads);
  context->pkt_timebase = stream.time_base;
  // EXR holds linear light; a wall shows sRGB.
  if (codec.id == AV_CODEC_ID_EXR) av_opt_set(context->priv_data, "apply_trc", "iec61966_2_1", 0);
  if (const int error = avcodec_open2(context.get(), &codec, nullptr); error < 0)
    return Error{"cannot decode " + name + ": " + av::words(error), not_media};
  return context;
}

}  // namespace

Result<std::unique_ptr<VideoInput>> VideoInput::open(const std::string& url, const AVInputFormat* format,
                                                     const std::string& shown_name, unsigned threads) {
  auto input = std::make_unique<VideoInput>();
  input->name_ = shown_name;
  if (auto opened = input->demux(url, format); !opened) return opened.error();
  AVFormatContext* raw = input->format_.get();
  if (const int error = avformat_find_stream_info(raw, nullptr); error < 0)
    return Error{"cannot read " + shown_name + ": " + av::words(error), not_media};
  const AVCodec* codec = nullptr;
  input->stream_ = av_find_best_stream(raw, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (input->stream_ < 0 || codec == nullptr)
    return Error{shown_name + " has no video that FFmpeg can decode", not_media};
  if ((input->stream().disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
    return Error{shown_name + " has no video, only a cover image", not_media};
  auto context = open_codec(input->stream(), *codec, shown_name, threads);
  if (!context) return context.error();
  input->codec_ = std::move(*context);
  return input;
}

// A named demuxer takes a description, not a file.
Result<void> VideoInput::demux(const std::string& url, const AVInputFormat* format) {
  if (format == nullptr) {
    auto named = NamedInput::open(url);
    if (!named) return named.error();
    named_.emplace(std::move(*named));
    auto demuxed = named_->demux();
    if (!demuxed) return demuxed.error();
    format_ = std::move(*demuxed);
    return {};
  }
  AVFormatContext* raw = nullptr;
  if (const int error = avformat_open_input(&raw, url.c_str(), format, nullptr); error < 0)
    return Error{"cannot open " + name_ + ": " + av::words(error), not_media};
  format_.reset(raw);
  return {};
}

Result<const AVFrame*> VideoInput::next() {
  for (;;) {
    const auto received = receive();
    if (!received) return received.error();
    if (!*received) return av::no_frame;
    set_time();
    const auto duration = std::max<std::int64_t>(frame_->pkt_duration, 1);
    next_pts_ = frame_->pts + duration;
    if (frame_->pts + duration / 2 < start_pts_) continue;
    // A recording may begin in the middle of a group of frames. Skips damaged frames before the first complete one, but
    // none after it.
    if (frame_->decode_error_flags != 0 && decoded_ == 0) continue;
    if (frame_->decode_error_flags != 0) return Error{fmt::format("{}: frame {} is damaged", name_, decoded_), repair};
    ++decoded_;
    set_orientation();
    return frame_.get();
  }
}

Result<void> VideoInput::start_at(double seconds) {
  const auto& timing = stream();
  const auto offset = static_cast<std::int64_t>(std::llround(seconds / av_q2d(timing.time_base)));
  start_pts_ = (timing.start_time == AV_NOPTS_VALUE ? 0 : timing.start_time) + offset;
  // A file that cannot be searched is decoded from its start.
  if (avformat_seek_file(format_.get(), stream_, INT64_MIN, start_pts_, start_pts_, 0) >= 0)
    avcodec_flush_buffers(codec_.get());
  return {};
}

AVRational VideoInput::guessed_rate() const {
  return av_guess_frame_rate(format_.get(), format_->streams[stream_], nullptr);
}

double VideoInput::duration() const {
  if (stream().duration > 0) return static_cast<double>(stream().duration) * av_q2d(stream().time_base);
  return format_->duration > 0 ? static_cast<double>(format_->duration) / AV_TIME_BASE : 0;
}

// One frame into frame_; false at the end.
Result<bool> VideoInput::receive() {
  for (;;) {
    const int error = avcodec_receive_frame(codec_.get(), frame_.get());
    if (error == 0) return true;
    if (error == AVERROR_EOF) return false;
    if (error != AVERROR(EAGAIN))
      return Error{fmt::format("{}: frame {} cannot be decoded: {}", name_, decoded_, av::words(error)), repair};
    if (auto fed = feed(); !fed) return fed.error();
  }
}

// One packet of the video into the decoder, or the end.
Result<void> VideoInput::feed() {
  for (;;) {
    const int read = av_read_frame(format_.get(), packet_.get());
    if (read == AVERROR_EOF) {
      avcodec_send_packet(codec_.get(), nullptr);
      return {};
    }
    if (read < 0)
      return Error{name_ + " cannot be read further: " + av::words(read), "check the disk, then run the command again"};
    const bool ours = packet_->stream_index == stream_;
    const int sent = ours ? avcodec_send_packet(codec_.get(), packet_.get()) : 0;
    av_packet_unref(packet_.get());
    if (sent < 0)
      return Error{fmt::format("{}: frame {} cannot be decoded: {}", name_, decoded_, av::words(sent)), repair};
    if (ours) return {};
  }
}

// Raw streams (H.264 without a container) have no times: their frames follow each other at the stream's rate.
void VideoInput::set_time() {
  const auto rate = guessed_rate();
  if (frame_->pkt_duration <= 0 && rate.num > 0)
    frame_->pkt_duration = av_rescale_q(1, av_inv_q(rate), stream().time_base);
  frame_->pts = frame_->best_effort_timestamp == AV_NOPTS_VALUE ? next_pts_ : frame_->best_effort_timestamp;
}

// A video stores its rotation in the stream, a photograph in the frame.
void VideoInput::set_orientation() {
  if (av_frame_get_side_data(frame_.get(), AV_FRAME_DATA_DISPLAYMATRIX) != nullptr) return;
  std::size_t size = 0;
  const auto* matrix = av_stream_get_side_data(&stream(), AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix == nullptr) return;
  auto* side = av_frame_new_side_data(frame_.get(), AV_FRAME_DATA_DISPLAYMATRIX, size);
  if (side != nullptr) std::memcpy(side->data, matrix, size);
}

}  // namespace lw
