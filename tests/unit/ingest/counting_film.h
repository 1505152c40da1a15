// A film whose sound counts its samples, for tests of imports.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ingest/av.h"

namespace lw::test {

// Twenty frames, and 0.9 s of sound whose channels count the samples: one up, one down. A file, because FFmpeg's lavfi
// loses memory when a graph with two outputs ends early.
inline std::string counting_film(const std::filesystem::path& folder) {
  constexpr int frames = 20, samples_per_frame = 2400, frames_with_sound = 18;
  const auto file = (folder / "counting.nut").string();
  AVFormatContext* made = nullptr;
  REQUIRE(avformat_alloc_output_context2(&made, nullptr, "nut", file.c_str()) >= 0);
  const std::unique_ptr<AVFormatContext, decltype(&avformat_free_context)> film(made, avformat_free_context);
  auto* video = avformat_new_stream(film.get(), nullptr);
  video->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
  video->codecpar->codec_id = AV_CODEC_ID_RAWVIDEO;
  video->codecpar->codec_tag = avcodec_pix_fmt_to_codec_tag(AV_PIX_FMT_RGB24);
  video->codecpar->format = AV_PIX_FMT_RGB24;
  video->codecpar->width = 72;
  video->codecpar->height = 14;
  video->time_base = {1, 20};
  video->avg_frame_rate = {20, 1};
  auto* sound = avformat_new_stream(film.get(), nullptr);
  sound->codecpar->codec_type = AVMEDIA_TYPE_AUDIO;
  sound->codecpar->codec_id = AV_CODEC_ID_PCM_S32LE;
  sound->codecpar->sample_rate = 48'000;
  sound->codecpar->bits_per_coded_sample = 32;
  sound->codecpar->block_align = 8;
  av_channel_layout_default(&sound->codecpar->ch_layout, 2);
  sound->time_base = {1, 48'000};
  REQUIRE(avio_open(&film->pb, file.c_str(), AVIO_FLAG_WRITE) >= 0);
  REQUIRE(avformat_write_header(film.get(), nullptr) >= 0);
  const auto write = [&](const AVStream& stream, AVRational unit, std::int64_t time, std::int64_t lasts,
                         auto& content) {
    const av::Packet packet(av_packet_alloc());
    packet->data = reinterpret_cast<std::uint8_t*>(content.data());
    packet->size = static_cast<int>(content.size() * sizeof(content[0]));
    packet->pts = packet->dts = time;
    packet->duration = lasts;
    packet->flags = AV_PKT_FLAG_KEY;
    packet->stream_index = stream.index;
    av_packet_rescale_ts(packet.get(), unit, stream.time_base);
    REQUIRE(av_write_frame(film.get(), packet.get()) >= 0);
  };
  std::int32_t number = 0;
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<std::uint8_t> pixels(std::size_t{72} * 14 * 3, static_cast<std::uint8_t>(10 * frame));
    write(*video, {1, 20}, frame, 1, pixels);
    if (frame >= frames_with_sound) continue;
    std::vector<std::int32_t> samples;
    for (int i = 0; i < samples_per_frame; ++i, ++number)
      samples.insert(samples.end(), {number * 32'768, -number * 32'768});
    write(*sound, {1, 48'000}, std::int64_t{frame} * samples_per_frame, samples_per_frame, samples);
  }
  REQUIRE(av_write_trailer(film.get()) >= 0);
  REQUIRE(avio_closep(&film->pb) >= 0);
  return file;
}

}  // namespace lw::test
