// What a sink of PipeWire plays, with the times at which it plays it: the peer of wall-client's output.
// sound_recorder SINK FOLDER: until it is ended, FOLDER/heard.f32 has the first channel, 48 kHz, and
// FOLDER/heard.ndjson for each portion its first row and its time on the system's clock.
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

namespace {

struct Recorder {
  pw_main_loop* loop = nullptr;
  pw_stream* stream = nullptr;
  FILE *samples = nullptr, *times = nullptr;
  std::uint64_t rows = 0;
};

std::int64_t now_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void record(void* data) {
  auto& recorder = *static_cast<Recorder*>(data);
  auto* buffer = pw_stream_dequeue_buffer(recorder.stream);
  if (buffer == nullptr) return;
  pw_time time{};
  pw_stream_get_time_n(recorder.stream, &time, sizeof(time));
  const auto delay_ns = time.rate.denom == 0 ? 0 : time.delay * 1'000'000'000LL * time.rate.num / time.rate.denom;
  const auto& part = buffer->buffer->datas[0];
  // A portion ends when its cycle begins: the sink, which drives the graph, passes on what it played in the cycle
  // before.
  const auto rows_ns = static_cast<std::int64_t>(part.chunk->size / sizeof(float)) * 1'000'000'000LL / 48'000;
  const auto begin_ns = now_ns(CLOCK_REALTIME) - (now_ns(CLOCK_MONOTONIC) - time.now) - delay_ns - rows_ns;
  if (part.data != nullptr && part.chunk->size > 0) {
    const auto rows = part.chunk->size / sizeof(float);
    std::fprintf(recorder.times, "{\"row\":%llu,\"time_ns\":%lld}\n", static_cast<unsigned long long>(recorder.rows),
                 static_cast<long long>(begin_ns));
    std::fwrite(static_cast<const char*>(part.data) + part.chunk->offset, sizeof(float), rows, recorder.samples);
    recorder.rows += rows;
  }
  pw_stream_queue_buffer(recorder.stream, buffer);
}

void end(void* data, int /*signal*/) { pw_main_loop_quit(static_cast<Recorder*>(data)->loop); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  pw_init(nullptr, nullptr);
  Recorder recorder;
  const std::string folder = argv[2];
  recorder.samples = std::fopen((folder + "/heard.f32").c_str(), "wb");
  recorder.times = std::fopen((folder + "/heard.ndjson").c_str(), "w");
  if (recorder.samples == nullptr || recorder.times == nullptr) return 1;
  recorder.loop = pw_main_loop_new(nullptr);
  auto* loop = pw_main_loop_get_loop(recorder.loop);
  for (const int signal : {SIGINT, SIGTERM}) pw_loop_add_signal(loop, signal, end, &recorder);
  pw_stream_events events{};
  events.version = PW_VERSION_STREAM_EVENTS;
  events.process = record;
  recorder.stream = pw_stream_new_simple(
      loop, "recorder",
      pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Capture", PW_KEY_STREAM_CAPTURE_SINK,
                        "true", PW_KEY_TARGET_OBJECT, argv[1], PW_KEY_NODE_LATENCY, "480/48000", nullptr),
      &events, &recorder);
  std::array<std::uint8_t, 1024> memory{};
  spa_pod_builder builder{};
  spa_pod_builder_init(&builder, memory.data(), memory.size());
  spa_audio_info_raw info{};
  info.format = SPA_AUDIO_FORMAT_F32;
  info.rate = 48'000;
  info.channels = 1;
  info.position[0] = SPA_AUDIO_CHANNEL_FL;
  const spa_pod* format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
  const int done =
      recorder.stream == nullptr
          ? -1
          : pw_stream_connect(recorder.stream, PW_DIRECTION_INPUT, PW_ID_ANY,
                              static_cast<pw_stream_flags>(PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS),
                              &format, 1);
  if (done < 0) return 1;
  pw_main_loop_run(recorder.loop);
  pw_stream_destroy(recorder.stream);
  pw_main_loop_destroy(recorder.loop);
  std::fclose(recorder.samples);
  std::fclose(recorder.times);
}
