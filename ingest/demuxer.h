// An FFmpeg input of which one stream is decoded: a file, an address or the description of a test source.
#pragma once

#include <optional>
#include <string>

#include "common/base/result.h"
#include "ingest/av.h"
#include "ingest/named_input.h"

namespace lw {

class Demuxer {
public:
  Demuxer() = default;
  Demuxer(const Demuxer&) = delete;
  Demuxer& operator=(const Demuxer&) = delete;

  // `format`: FFmpeg's demuxer if it cannot be guessed. `shown_name` and `fix` are for errors about one with a given
  // format.
  Result<void> open(const std::string& url, const AVInputFormat* format, const std::string& shown_name,
                    const char* fix);
  // Once it is open.
  [[nodiscard]] AVFormatContext& input() const { return *format_; }

  // FFmpeg's errors; 0: none.
  struct Sent {
    int read = 0;    // of the input
    int decode = 0;  // of a packet
  };
  // Sends the decoder the next packet of its stream, or the end.
  Sent send_next(AVCodecContext& decoder, int stream);

private:
  std::optional<NamedInput> named_;  // outlives its demuxer
  av::Format format_;
  av::Packet packet_{av_packet_alloc()};
};

}  // namespace lw
