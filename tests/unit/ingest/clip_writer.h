// Writes clips and images with FFmpeg's encoders, for tests that read them.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ingest/av.h"

struct ClipFormat {
  const char* encoder = "";
  AVPixelFormat pixels = AV_PIX_FMT_NONE;
  int width = 0, height = 0;
  AVRational time_base{1, 1000};
};

// Calls `draw` for the frame at each time; the last one is shown up to `end`.
inline void write_clip(const std::string& file, const ClipFormat& clip, const std::vector<std::int64_t>& times,
                       std::int64_t end, const std::function<void(AVFrame&, std::size_t)>& draw) {
  const auto need = [](bool good) {
    if (!good) throw std::runtime_error("FFmpeg cannot write the test's clip");
  };
  const AVCodec* codec = avcodec_find_encoder_by_name(clip.encoder);
  need(codec != nullptr);
  AVFormatContext* output = nullptr;
  need(avformat_alloc_output_context2(&output, nullptr, nullptr, file.c_str()) >= 0);
  lw::av::Codec encoder(avcodec_alloc_context3(codec));
  encoder->width = clip.width;
  encoder->height = clip.height;
  encoder->pix_fmt = clip.pixels;
  encoder->time_base = clip.time_base;
  if ((output->oformat->flags & AVFMT_GLOBALHEADER) != 0) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  need(avcodec_open2(encoder.get(), codec, nullptr) >= 0);
  AVStream* stream = avformat_new_stream(output, nullptr);
  stream->time_base = clip.time_base;
  need(avcodec_parameters_from_context(stream->codecpar, encoder.get()) >= 0);
  if ((output->oformat->flags & AVFMT_NOFILE) == 0) need(avio_open(&output->pb, file.c_str(), AVIO_FLAG_WRITE) >= 0);
  need(avformat_write_header(output, nullptr) >= 0);
  lw::av::Packet packet(av_packet_alloc());
  const auto duration_of = [&](std::int64_t time) {
    for (const auto later : times)
      if (later > time) return later - time;
    return end - time;
  };
  const auto drain = [&] {
    while (avcodec_receive_packet(encoder.get(), packet.get()) == 0) {
      packet->duration = duration_of(packet->pts);
      av_packet_rescale_ts(packet.get(), clip.time_base, stream->time_base);
      need(av_write_frame(output, packet.get()) >= 0);
      av_packet_unref(packet.get());
    }
  };
  for (std::size_t i = 0; i < times.size(); ++i) {
    lw::av::Frame frame(av_frame_alloc());
    frame->format = clip.pixels;
    frame->width = clip.width;
    frame->height = clip.height;
    need(av_frame_get_buffer(frame.get(), 64) >= 0);
    frame->pts = times[i];
    draw(*frame, i);
    need(avcodec_send_frame(encoder.get(), frame.get()) >= 0);
    drain();
  }
  avcodec_send_frame(encoder.get(), nullptr);
  drain();
  need(av_write_trailer(output) >= 0);
  if ((output->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&output->pb);
  avformat_free_context(output);
}
