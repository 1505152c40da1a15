// Decodes the best audio stream of an FFmpeg input into the samples of a store: 48 kHz, 24 bits in the upper bytes
// of 32. Samples follow the times in the file: gaps become silence, and what overlaps is cut off.
#pragma once

extern "C" {
#include <libswresample/swresample.h>
}

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/demuxer.h"

namespace lw {

class SoundInput {
public:
  // `format` and `shown_name` as for VideoInput. The first sample will be the one at `from`, in seconds as the input's
  // streams count them.
  static Result<std::unique_ptr<SoundInput>> open(const std::string& url, const AVInputFormat* format,
                                                  const std::string& shown_name, double from);

  // The next samples, interleaved; empty at the end. Valid until the next call.
  Result<std::span<const std::int32_t>> next();

  [[nodiscard]] unsigned channels() const { return static_cast<unsigned>(to_.nb_channels); }
  [[nodiscard]] unsigned channels_of_source() const;
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }  // packets that could not be decoded

private:
  struct FreeResampler {
    void operator()(SwrContext* resampler) const { swr_free(&resampler); }
  };

  Result<void> find_stream();
  Result<void> open_codec();
  Result<bool> receive();
  Result<void> feed();
  Result<void> take(const AVFrame& frame);
  Result<void> begin_at(const AVFrame& frame, std::int64_t sample);
  void drain();
  void convert(const std::uint8_t** data, int count);
  [[nodiscard]] std::int64_t sample_of(const AVFrame& frame) const;
  [[nodiscard]] bool continues(const AVFrame& frame) const;

  std::string name_;
  Demuxer demuxer_;
  av::Codec codec_;
  av::Frame frame_{av_frame_alloc()};
  std::unique_ptr<SwrContext, FreeResampler> resampler_;
  AVChannelLayout to_{};  // a native layout, which owns no memory
  int stream_ = -1;
  double from_ = 0;
  // What the resampler is set up for.
  int rate_ = 0;
  int sample_format_ = -1;
  int channels_of_frames_ = 0;

  // Samples that follow each other, from `at` on.
  struct Piece {
    std::int64_t at = 0;
    std::vector<std::int32_t> samples;
  };
  bool give_first();

  std::int64_t resampled_ = 0;  // the sample that the resampler's next output is
  std::deque<Piece> pieces_;    // converted, not yet given
  std::int64_t given_ = 0;      // samples given, from 0 on
  std::vector<std::int32_t> out_;
  std::uint64_t damaged_ = 0;
  bool ended_ = false;
};

// Channels of the sound of an open input that a store keeps; 0: it has none.
unsigned sound_channels_of(AVFormatContext& input, int video_stream);

}  // namespace lw
