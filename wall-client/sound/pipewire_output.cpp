#include "wall-client/sound/pipewire_output.h"

#include <fmt/format.h>
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace lw {
namespace {

constexpr std::chrono::seconds try_again{2};
constexpr const char* latency = "480/48000";  // asked for: 10 ms

void on_process(void* data) { static_cast<PipewireOutput*>(data)->process(); }

void on_state(void* data, pw_stream_state /*old*/, pw_stream_state state, const char* problem) {
  const bool failed = state == PW_STREAM_STATE_ERROR || state == PW_STREAM_STATE_UNCONNECTED;
  static_cast<PipewireOutput*>(data)->changed(failed, problem);
}

const pw_stream_events& events() {
  static const pw_stream_events all = [] {
    pw_stream_events made{};
    made.version = PW_VERSION_STREAM_EVENTS;
    made.state_changed = on_state;
    made.process = on_process;
    return made;
  }();
  return all;
}

// The usual places of so many loudspeakers.
void place_channels(spa_audio_info_raw& info) {
  constexpr std::array<std::uint32_t, sound_channels_max> many{
      SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
      SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR};
  constexpr std::array<std::uint32_t, 4> four{SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_RL,
                                              SPA_AUDIO_CHANNEL_RR};
  for (unsigned i = 0; i < info.channels; ++i) info.position[i] = info.channels == 4 ? four[i] : many[i];
}

}  // namespace

PipewireOutput::PipewireOutput(std::string sink) : sink_(std::move(sink)) {}

Result<std::unique_ptr<SoundOutput>> PipewireOutput::open(const std::string& sink) {
  pw_init(nullptr, nullptr);
  std::unique_ptr<PipewireOutput> output(new PipewireOutput(sink));
  output->loop_ = pw_thread_loop_new("pipewire", nullptr);
  if (output->loop_ == nullptr || pw_thread_loop_start(output->loop_) != 0)
    return Error{"PipeWire's library cannot start its thread", ""};
  if (auto opened = output->open_stream(2); !opened) return opened.error();
  return std::unique_ptr<SoundOutput>(std::move(output));
}

PipewireOutput::~PipewireOutput() {
  close_stream();
  if (loop_ == nullptr) return;
  pw_thread_loop_stop(loop_);
  pw_thread_loop_destroy(loop_);
}

void PipewireOutput::close_stream() {
  if (stream_ == nullptr) return;
  pw_thread_loop_lock(loop_);
  pw_stream_destroy(stream_);  // until it returns, process() is called and uses the stream
  stream_ = nullptr;
  pw_thread_loop_unlock(loop_);
}

Result<void> PipewireOutput::open_stream(unsigned channels) {
  close_stream();
  feed_ = std::make_unique<DeviceFeed>(channels, static_cast<unsigned>(sound_rate));
  failed_ = false;
  auto* properties = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback", PW_KEY_MEDIA_ROLE,
                                       "Movie", PW_KEY_NODE_LATENCY, latency, PW_KEY_APP_NAME, "Lambdawall", nullptr);
  if (!sink_.empty()) pw_properties_set(properties, PW_KEY_TARGET_OBJECT, sink_.c_str());
  pw_thread_loop_lock(loop_);
  stream_ = pw_stream_new_simple(pw_thread_loop_get_loop(loop_), "Lambdawall", properties, &events(), this);
  int done = -ENOMEM;
  if (stream_ != nullptr) {
    std::array<std::uint8_t, 1024> memory{};
    spa_pod_builder builder{};
    spa_pod_builder_init(&builder, memory.data(), memory.size());
    spa_audio_info_raw info{};
    info.format = SPA_AUDIO_FORMAT_F32;
    info.rate = static_cast<std::uint32_t>(sound_rate);
    info.channels = channels;
    place_channels(info);
    const spa_pod* format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
    done = pw_stream_connect(stream_, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                             static_cast<pw_stream_flags>(PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS |
                                                          PW_STREAM_FLAG_RT_PROCESS),
                             &format, 1);
  }
  pw_thread_loop_unlock(loop_);
  if (done >= 0) return {};
  close_stream();
  return Error{fmt::format("PipeWire plays no sound: {}", std::strerror(-done)),
               "start PipeWire for the user of wall-client, or use audio = \"alsa:NAME\""};
}

void PipewireOutput::changed(bool failed, const char* problem) {
  if (failed && problem != nullptr) spdlog::warn("PipeWire plays no sound: {}; trying again", problem);
  failed_ = failed;
}

void PipewireOutput::play(const PlayedSound& part) {
  const bool other = part.channels != 0 && part.channels != feed_->channels();
  if ((failed_ || stream_ == nullptr || other) && is_due(tried_ + try_again, part.played, try_again)) {
    if (!other) tried_ = part.played;
    [[maybe_unused]] const auto opened = open_stream(other ? part.channels : feed_->channels());
  }
  feed_->put(part);
}

void PipewireOutput::process() {
  auto* buffer = pw_stream_dequeue_buffer(stream_);
  if (buffer == nullptr) return;
  auto& data = buffer->buffer->datas[0];
  const auto stride = static_cast<std::uint32_t>(sizeof(float) * feed_->channels());
  auto frames = data.maxsize / stride;
  if (buffer->requested > 0) frames = std::min(frames, static_cast<std::uint32_t>(buffer->requested));
  pw_time time{};
  pw_stream_get_time_n(stream_, &time, sizeof(time));
  const auto since = std::chrono::steady_clock::now().time_since_epoch() - Nanoseconds{time.now};
  const auto ns_of = [](std::int64_t ticks, std::uint32_t num, std::uint32_t denom) {
    return Nanoseconds{denom == 0 ? 0 : ticks * 1'000'000'000 * num / denom};
  };
  const auto device = ns_of(time.delay, time.rate.num, time.rate.denom) +
                      ns_of(static_cast<std::int64_t>(time.buffered), 1, static_cast<std::uint32_t>(sound_rate));
  if (data.data != nullptr)
    feed_->fill({static_cast<float*>(data.data), std::size_t{frames} * feed_->channels()},
                WallClock::now() - since + device);
  data.chunk->offset = 0;
  data.chunk->stride = static_cast<std::int32_t>(stride);
  data.chunk->size = frames * stride;
  pw_stream_queue_buffer(stream_, buffer);
  lead_.needs(device + ns_of(frames, 1, static_cast<std::uint32_t>(sound_rate)));
}

std::string PipewireOutput::text() const {
  return sink_.empty() ? "PipeWire's default sink" : fmt::format("PipeWire's sink {}", sink_);
}

}  // namespace lw
