#include "ingest/video_input.h"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "ingest/sound_input.h"

namespace lw {
namespace {

constexpr const char* repair = "repair or re-encode the file";

constexpr unsigned decoders_max = 16;       // more hardly help
constexpr unsigned frames_per_decoder = 2;  // FFmpeg's threads decode a frame each, and keep one for reference

std::optional<std::uint64_t> bytes_of(const AVCodecParameters& stream) {
  const auto* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(stream.format));
  if (format == nullptr) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(av_get_padded_bits_per_pixel(format));
  return static_cast<std::uint64_t>(stream.width) * static_cast<std::uint64_t>(stream.height) * bits / 8;
}

// FFmpeg's demuxers for a single image know its codec.
bool is_still(const AVFormatContext& input) {
  const std::string_view name = input.iformat->name;
  return (name == "image2" || name.ends_with("_pipe")) && input.nb_streams == 1 &&
         input.streams[0]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
         input.streams[0]->codecpar->codec_id != AV_CODEC_ID_NONE;
}

// By the index of the file, if it has all frames, as in MP4 and MOV: others only have the key frames.
double share_of_odd_frames(const AVStream& stream) {
  std::vector<std::int64_t> durations;
  const int count = avformat_index_get_entries_count(&stream);
  const auto time_of = [&](int entry) {
    return avformat_index_get_entry(const_cast<AVStream*>(&stream), entry)->timestamp;
  };
  if (count < stream.nb_frames || stream.nb_frames == 0) return 0;
  for (int entry = 1; entry < count; ++entry) durations.push_back(time_of(entry) - time_of(entry - 1));
  if (durations.size() < 2) return 0;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::ranges::nth_element(durations, middle);
  const auto usual = static_cast<double>(*middle);
  const auto odd = std::ranges::count_if(durations, [usual](std::int64_t duration) {
    return std::abs(static_cast<double>(duration) - usual) > usual / 4;
  });
  return static_cast<double>(odd) / static_cast<double>(durations.size());
}

int get_buffer(AVCodecContext* context, AVFrame* frame, int flags) {
  if ((context->codec->capabilities & AV_CODEC_CAP_DR1) == 0) return avcodec_default_get_buffer2(context, frame, flags);
  int width = frame->width;
  int height = frame->height;
  std::array<int, AV_NUM_DATA_POINTERS> alignments{};
  avcodec_align_dimensions2(context, &width, &height, alignments.data());
  height += 2;  // decoders may write a little beyond the last line
  if (static_cast<FramePool*>(context->opaque)->allocate(*frame, width, height)) return 0;
  return avcodec_default_get_buffer2(context, frame, flags);
}

}  // namespace

Result<std::unique_ptr<VideoInput>> VideoInput::open(const std::string& url, const AVInputFormat* format,
                                                     const std::string& shown_name, const HostShare& share) {
  auto input = std::make_unique<VideoInput>();
  input->name_ = shown_name;
  if (auto opened = input->demuxer_.open(url, format, shown_name, not_media); !opened) return opened.error();
  if (auto found = input->find_stream(); !found) return found.error();
  const auto bytes = bytes_of(*input->stream().codecpar).value_or(0) * frames_per_decoder;
  if (auto opened = input->open_codec(share.room_for(bytes, std::min(share.threads, decoders_max))); !opened)
    return opened.error();
  return input;
}

Result<std::unique_ptr<VideoInput>> VideoInput::open_picture(const std::string& file, FramePool& pool) {
  auto input = std::make_unique<VideoInput>();
  input->name_ = file;
  input->pool_ = &pool;
  if (auto opened = input->demuxer_.open(file, nullptr, file, not_media); !opened) return opened.error();
  if (is_still(input->demuxer_.input()))
    input->stream_ = 0;
  else if (auto found = input->find_stream(); !found)
    return found.error();
  if (auto opened = input->open_codec(1); !opened) return opened.error();
  return input;
}

// FFmpeg decodes the beginning to find out what the streams are.
Result<void> VideoInput::find_stream() {
  if (const int error = avformat_find_stream_info(&demuxer_.input(), nullptr); error < 0)
    return Error{"cannot read " + name_ + ": " + av::words(error), not_media};
  const AVCodec* codec = nullptr;
  stream_ = av_find_best_stream(&demuxer_.input(), AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
  if (stream_ < 0 || codec == nullptr) return Error{name_ + " has no video that FFmpeg can decode", not_media};
  if ((stream().disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
    return Error{name_ + " has no video, only a cover image", not_media};
  if (stream().codecpar->width <= 0 || stream().codecpar->height <= 0)
    return Error{name_ + " contains no image that FFmpeg can decode", not_media};
  return {};
}

Result<void> VideoInput::open_codec(unsigned threads) {
  const auto* codec = avcodec_find_decoder(stream().codecpar->codec_id);
  if (codec == nullptr) return Error{name_ + " has no video that FFmpeg can decode", not_media};
  codec_.reset(avcodec_alloc_context3(codec));
  avcodec_parameters_to_context(codec_.get(), stream().codecpar);
  codec_->thread_count = static_cast<int>(threads);
  codec_->pkt_timebase = stream().time_base;
  if (pool_ != nullptr) {
    codec_->opaque = pool_;
    codec_->get_buffer2 = get_buffer;
  }
  // EXR holds linear light; a wall shows sRGB.
  if (codec->id == AV_CODEC_ID_EXR) av_opt_set(codec_->priv_data, "apply_trc", "iec61966_2_1", 0);
  if (const int error = avcodec_open2(codec_.get(), codec, nullptr); error < 0)
    return Error{"cannot decode " + name_ + ": " + av::words(error), not_media};
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
  if (avformat_seek_file(&demuxer_.input(), stream_, INT64_MIN, start_pts_, start_pts_, 0) >= 0)
    avcodec_flush_buffers(codec_.get());
  return {};
}

unsigned VideoInput::sound_channels() const { return sound_channels_of(demuxer_.input(), stream_); }

AVRational VideoInput::guessed_rate() const {
  return av_guess_frame_rate(&demuxer_.input(), demuxer_.input().streams[stream_], nullptr);
}

double VideoInput::rate_deviation() const {
  const auto guessed = guessed_rate();
  const auto average = stream().avg_frame_rate;
  const bool both = guessed.num > 0 && guessed.den > 0 && average.num > 0 && average.den > 0;
  return std::max(both ? std::abs(av_q2d(average) / av_q2d(guessed) - 1) : 0, share_of_odd_frames(stream()));
}

std::optional<std::uint64_t> VideoInput::frame_bytes() const { return bytes_of(*stream().codecpar); }

double VideoInput::duration() const {
  if (stream().duration > 0) return static_cast<double>(stream().duration) * av_q2d(stream().time_base);
  return demuxer_.input().duration > 0 ? static_cast<double>(demuxer_.input().duration) / AV_TIME_BASE : 0;
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
  const auto sent = demuxer_.send_next(*codec_, stream_);
  if (sent.read < 0)
    return Error{name_ + " cannot be read further: " + av::words(sent.read),
                 "check the disk, then run the command again"};
  if (sent.decode < 0)
    return Error{fmt::format("{}: frame {} cannot be decoded: {}", name_, decoded_, av::words(sent.decode)), repair};
  return {};
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
