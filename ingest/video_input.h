// Decodes the best video stream of one FFmpeg input: a video, an image, or a test source.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/demuxer.h"
#include "ingest/frame_pool.h"
#include "ingest/host_share.h"

namespace lw {

// The fix for inputs that are not media.
inline constexpr const char* not_media =
    "use a video, an image, a folder of images or lavfi:SOURCE; ffprobe INPUT shows what FFmpeg detects";

class VideoInput {
public:
  // `format` is FFmpeg's demuxer if it cannot be guessed; `shown_name` stands for the input in errors.
  static Result<std::unique_ptr<VideoInput>> open(const std::string& url, const AVInputFormat* format,
                                                  const std::string& shown_name, const HostShare& share);
  // An image, which one thread decodes, into memory of `pool`, which must outlive this object.
  static Result<std::unique_ptr<VideoInput>> open_picture(const std::string& file, FramePool& pool);

  // The next frame, with a time; nullptr at the end. Valid until the next call.
  Result<const AVFrame*> next();
  // The next frame will be the one shown at `seconds` from the start. Decodes from the key frame before it.
  Result<void> start_at(double seconds);
  // Transfers the frame of the last next().
  av::Frame take() { return std::exchange(frame_, av::Frame(av_frame_alloc())); }

  [[nodiscard]] const AVStream& stream() const { return *demuxer_.input().streams[stream_]; }
  // Of the sound that a store can keep; 0: it has none.
  [[nodiscard]] unsigned sound_channels() const;
  [[nodiscard]] AVRational guessed_rate() const;
  // How far frames are from following each other at that rate, as a share: by how much the average rate differs, or how
  // many frames last much longer or shorter than most. 0 as far as the file does not state it.
  [[nodiscard]] double rate_deviation() const;
  // In seconds; 0 if the file does not state it.
  [[nodiscard]] double duration() const;
  // Of a decoded frame; none if the file does not state it.
  [[nodiscard]] std::optional<std::uint64_t> frame_bytes() const;

private:
  Result<void> find_stream();
  Result<void> open_codec(unsigned threads);
  Result<void> feed();
  Result<bool> receive();
  void set_time();
  void set_orientation();

  std::string name_;
  FramePool* pool_ = nullptr;  // of the decoded frames; none: the codec's own
  Demuxer demuxer_;
  av::Codec codec_;
  av::Frame frame_{av_frame_alloc()};
  int stream_ = -1;
  std::uint64_t decoded_ = 0;
  std::int64_t next_pts_ = 0;           // of a frame without a time in the file
  std::int64_t start_pts_ = INT64_MIN;  // frames that end before it are skipped
};

}  // namespace lw
