#include "ingest/demuxer.h"

#include <utility>

namespace lw {

// A named demuxer takes a description, not a file.
Result<void> Demuxer::open(const std::string& url, const AVInputFormat* format, const std::string& shown_name,
                           const char* fix) {
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
    return Error{"cannot open " + shown_name + ": " + av::words(error), fix};
  format_.reset(raw);
  return {};
}

Demuxer::Sent Demuxer::send_next(AVCodecContext& decoder, int stream) {
  for (;;) {
    const int read = av_read_frame(format_.get(), packet_.get());
    if (read == AVERROR_EOF) {
      avcodec_send_packet(&decoder, nullptr);
      return {};
    }
    if (read < 0) return {.read = read};
    const bool ours = packet_->stream_index == stream;
    const int decode = ours ? avcodec_send_packet(&decoder, packet_.get()) : 0;
    av_packet_unref(packet_.get());
    if (ours) return {.decode = decode};
  }
}

}  // namespace lw
