#include "ingest/sound_input.h"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/sound_time.h"
#include "common/store/sound_file.h"

namespace lw {
namespace {

constexpr const char* undecodable = "use --no-sound, or convert its sound; ffprobe INPUT shows what FFmpeg detects";

// Times in files are rounded, to milliseconds in some. Less than a frame of video is not a gap.
constexpr std::int64_t gap_least = sound_rate / 50;
// Decoders need some sound before the first that is heard.
constexpr double run_up_s = 0.2;

// FFmpeg converts to 32 bits; a store keeps 24.
std::int32_t to_24_bits(std::int32_t sample) {
  constexpr std::int64_t low_byte = 0x100;
  const auto rounded = (std::int64_t{sample} + low_byte / 2) & ~(low_byte - 1);
  return static_cast<std::int32_t>(std::min<std::int64_t>(rounded, std::numeric_limits<std::int32_t>::max() - 0xff));
}

int best_sound(AVFormatContext& input, int video_stream) {
  return av_find_best_stream(&input, AVMEDIA_TYPE_AUDIO, -1, video_stream, nullptr, 0);
}

}  // namespace

unsigned sound_channels_of(AVFormatContext& input, int video_stream) {
  const int stream = best_sound(input, video_stream);
  if (stream < 0) return 0;
  const auto channels = input.streams[stream]->codecpar->ch_layout.nb_channels;
  return static_cast<unsigned>(std::clamp(channels, 1, static_cast<int>(sound_channels_max)));
}

Result<std::unique_ptr<SoundInput>> SoundInput::open(const std::string& url, const AVInputFormat* format,
                                                     const std::string& shown_name, double from) {
  auto input = std::make_unique<SoundInput>();
  input->name_ = shown_name;
  input->from_ = from;
  if (auto opened = input->demuxer_.open(url, format, shown_name, undecodable); !opened) return opened.error();
  if (auto found = input->find_stream(); !found) return found.error();
  if (auto opened = input->open_codec(); !opened) return opened.error();
  return input;
}

Result<void> SoundInput::find_stream() {
  auto& format = demuxer_.input();
  if (const int error = avformat_find_stream_info(&format, nullptr); error < 0)
    return Error{"cannot read " + name_ + ": " + av::words(error), undecodable};
  stream_ = best_sound(format, av_find_best_stream(&format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0));
  if (stream_ < 0) return Error{name_ + " has no sound that FFmpeg can decode", undecodable};
  for (unsigned i = 0; i < format.nb_streams; ++i)
    if (static_cast<int>(i) != stream_) format.streams[i]->discard = AVDISCARD_ALL;
  return {};
}

Result<void> SoundInput::open_codec() {
  const auto& stream = *demuxer_.input().streams[stream_];
  const auto* codec = avcodec_find_decoder(stream.codecpar->codec_id);
  if (codec == nullptr) return Error{name_ + " has sound that FFmpeg cannot decode", undecodable};
  codec_.reset(avcodec_alloc_context3(codec));
  avcodec_parameters_to_context(codec_.get(), stream.codecpar);
  codec_->pkt_timebase = stream.time_base;
  if (const int error = avcodec_open2(codec_.get(), codec, nullptr); error < 0)
    return Error{"cannot decode the sound of " + name_ + ": " + av::words(error), undecodable};
  const auto channels = codec_->ch_layout.nb_channels;
  if (channels < 1) return Error{"the sound of " + name_ + " has no channels", undecodable};
  av_channel_layout_default(&to_, std::min(channels, static_cast<int>(sound_channels_max)));
  // An input that cannot be searched is decoded from its start.
  const auto start = static_cast<std::int64_t>((from_ - run_up_s) / av_q2d(stream.time_base));
  if (from_ > run_up_s && avformat_seek_file(&demuxer_.input(), stream_, INT64_MIN, start, start, 0) >= 0)
    avcodec_flush_buffers(codec_.get());
  return {};
}

unsigned SoundInput::channels_of_source() const { return static_cast<unsigned>(codec_->ch_layout.nb_channels); }

Result<std::span<const std::int32_t>> SoundInput::next() {
  out_.clear();
  while (!give_first() && !ended_) {
    const auto received = receive();
    if (!received) return received.error();
    if (!*received) {
      drain();
      ended_ = true;
    } else if (auto taken = take(*frame_); !taken) {
      return taken.error();
    }
  }
  return std::span<const std::int32_t>(out_);
}

// Gives the first piece, or silence up to it; false if there is nothing to give.
bool SoundInput::give_first() {
  const auto channels = std::int64_t{this->channels()};
  while (!pieces_.empty()) {
    const auto& [at, samples] = pieces_.front();
    if (at > given_) {
      const auto silent = std::min(at - given_, sound_rate);
      out_.assign(static_cast<std::size_t>(silent * channels), 0);
      given_ += silent;
      return true;
    }
    const auto count = static_cast<std::int64_t>(samples.size()) / channels;
    const auto passed = std::min(given_ - at, count);
    for (const auto sample : std::span(samples).subspan(static_cast<std::size_t>(passed * channels)))
      out_.push_back(to_24_bits(sample));
    given_ += count - passed;
    pieces_.pop_front();
    if (!out_.empty()) return true;
  }
  return false;
}

// One frame into frame_; false at the end. A packet that cannot be decoded leaves a gap.
Result<bool> SoundInput::receive() {
  for (;;) {
    const int error = avcodec_receive_frame(codec_.get(), frame_.get());
    if (error == 0) return true;
    if (error == AVERROR_EOF) return false;
    if (error != AVERROR(EAGAIN)) ++damaged_;
    if (auto fed = feed(); !fed) return fed.error();
  }
}

// One packet of the sound into the decoder, or the end.
Result<void> SoundInput::feed() {
  for (;;) {
    const auto sent = demuxer_.send_next(*codec_, stream_);
    if (sent.read < 0)
      return Error{"the sound of " + name_ + " cannot be read further: " + av::words(sent.read),
                   "check the disk, then run the command again"};
    if (sent.decode >= 0) return {};
    ++damaged_;
  }
}

std::int64_t SoundInput::sample_of(const AVFrame& frame) const {
  const auto time = frame.best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) return resampled_;
  const auto seconds = static_cast<double>(time) * av_q2d(demuxer_.input().streams[stream_]->time_base) - from_;
  constexpr double longest = 1e9;  // seconds; a wrong time in a file may be any number
  return std::llround(std::clamp(seconds, -longest, longest) * static_cast<double>(sound_rate));
}

// Whether a frame follows the one before, in the same format.
bool SoundInput::continues(const AVFrame& frame) const {
  // The resampler keeps some samples back.
  const auto expected = resampled_ + swr_get_delay(resampler_.get(), sound_rate);
  return frame.sample_rate == rate_ && frame.format == sample_format_ &&
         frame.ch_layout.nb_channels == channels_of_frames_ && std::abs(sample_of(frame) - expected) < gap_least;
}

Result<void> SoundInput::take(const AVFrame& frame) {
  const bool first = resampler_ == nullptr;
  if (first || !continues(frame)) {
    const auto sample = sample_of(frame);
    drain();
    if (auto begun = begin_at(frame, sample); !begun) return begun;
  }
  convert(const_cast<const std::uint8_t**>(frame.extended_data), frame.nb_samples);
  return {};
}

Result<void> SoundInput::begin_at(const AVFrame& frame, std::int64_t sample) {
  // Sound without a description of its channels keeps their order.
  AVChannelLayout from{};
  if (frame.ch_layout.order == AV_CHANNEL_ORDER_NATIVE)
    from = frame.ch_layout;
  else
    av_channel_layout_default(&from, frame.ch_layout.nb_channels);
  auto to = frame.ch_layout.nb_channels == to_.nb_channels ? from : to_;
  SwrContext* made = nullptr;
  const int set = swr_alloc_set_opts2(&made, &to, AV_SAMPLE_FMT_S32, static_cast<int>(sound_rate), &from,
                                      static_cast<AVSampleFormat>(frame.format), frame.sample_rate, 0, nullptr);
  resampler_.reset(made);
  // In whole numbers, so that all processors make the same samples.
  if (set >= 0) av_opt_set_sample_fmt(made, "internal_sample_fmt", AV_SAMPLE_FMT_S32P, 0);
  if (const int error = set < 0 ? set : swr_init(made); error < 0)
    return Error{"cannot convert the sound of " + name_ + ": " + av::words(error), undecodable};
  rate_ = frame.sample_rate;
  sample_format_ = frame.format;
  channels_of_frames_ = frame.ch_layout.nb_channels;
  resampled_ = sample;
  return {};
}

// What the resampler has kept back.
void SoundInput::drain() {
  if (resampler_ != nullptr) convert(nullptr, 0);
}

void SoundInput::convert(const std::uint8_t** data, int count) {
  for (;;) {
    const int room = std::max(swr_get_out_samples(resampler_.get(), count), 64);
    Piece piece{resampled_, std::vector<std::int32_t>(std::size_t{channels()} * static_cast<std::size_t>(room))};
    auto* out = reinterpret_cast<std::uint8_t*>(piece.samples.data());
    const int made = std::max(swr_convert(resampler_.get(), &out, room, data, count), 0);
    piece.samples.resize(std::size_t{channels()} * static_cast<std::size_t>(made));
    resampled_ += made;
    if (made > 0) pieces_.push_back(std::move(piece));
    if (data != nullptr || made == 0) return;
  }
}

}  // namespace lw
