#include "wall-client/sound/alsa_output.h"

#include "common/concurrency/pinned_thread.h"

#include <alsa/asoundlib.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace lw {
namespace {

constexpr std::chrono::microseconds buffered{40'000};  // in the device
constexpr std::size_t period_frames = 480;
constexpr std::chrono::milliseconds least_turn{5};  // half of a period
constexpr std::chrono::seconds reopen_after{2};
constexpr std::chrono::milliseconds look_for_stop{100};

// ALSA prints about devices that it tries; what matters is in the errors that calls return.
void say_nothing(const char* /*file*/, int /*line*/, const char* /*function*/, int /*error*/, const char* /*text*/,
                 ...) {}  // NOLINT(cert-dcl50-cpp): ALSA's signature

}  // namespace

void AlsaOutput::Close::operator()(snd_pcm_t* pcm) const { snd_pcm_close(pcm); }

Result<std::unique_ptr<SoundOutput>> AlsaOutput::open(const std::string& device) {
  snd_lib_error_set_handler(&say_nothing);
  std::unique_ptr<AlsaOutput> output(new AlsaOutput(device));
  auto pcm = output->open_pcm(2);
  if (!pcm) return pcm.error();
  output->feed_ = std::make_unique<DeviceFeed>(2, static_cast<unsigned>(sound_rate));
  output->thread_ = start_thread(
      "alsa", -1,
      [self = output.get(), opened = pcm->release()](const std::stop_token& stop) { self->run(stop, Pcm(opened)); });
  return std::unique_ptr<SoundOutput>(std::move(output));
}

AlsaOutput::~AlsaOutput() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

Result<AlsaOutput::Pcm> AlsaOutput::open_pcm(unsigned channels) const {
  snd_pcm_t* opened = nullptr;
  int error = snd_pcm_open(&opened, device_.c_str(), SND_PCM_STREAM_PLAYBACK, 0);
  Pcm pcm(opened);
  constexpr int resamples = 1;  // what the device cannot play
  if (error >= 0)
    error = snd_pcm_set_params(opened, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_ACCESS_RW_INTERLEAVED, channels,
                               static_cast<unsigned>(sound_rate), resamples, static_cast<unsigned>(buffered.count()));
  if (error >= 0) return pcm;
  return Error{fmt::format("ALSA's device {} plays no sound: {}", device_, snd_strerror(error)),
               "choose another one of `aplay -L` for audio in the wall file"};
}

void AlsaOutput::play(const PlayedSound& part) {
  if (part.channels != 0) channels_ = part.channels;
  const std::lock_guard lock(feed_lock_);
  feed_->put(part);
}

void AlsaOutput::put_figures(SoundNodeStats& into) const {
  const std::lock_guard lock(feed_lock_);
  feed_->put_figures(into);
}

void AlsaOutput::run(const std::stop_token& stop, Pcm pcm) {
  while (pcm != nullptr && !stop.stop_requested()) {
    if (const auto problem = write(stop, *pcm); !problem.empty())
      spdlog::warn("ALSA's device {} plays no sound: {}; trying again", device_, problem);
    pcm.reset();
    pcm = reopen(stop);
  }
}

AlsaOutput::Pcm AlsaOutput::reopen(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    opened_for_ = channels_;
    for (const unsigned channels : {opened_for_, 2U}) {
      auto pcm = open_pcm(channels);
      if (!pcm) continue;
      if (channels != opened_for_)
        spdlog::warn("ALSA's device {} has no {} channels: they are mixed to two", device_, opened_for_);
      const std::lock_guard lock(feed_lock_);
      feed_ = std::make_unique<DeviceFeed>(channels, static_cast<unsigned>(sound_rate));
      return std::move(*pcm);
    }
    const auto again = LocalClock::now() + reopen_after;
    while (LocalClock::now() < again && !stop.stop_requested()) std::this_thread::sleep_for(look_for_stop);
  }
  return nullptr;
}

std::string AlsaOutput::write(const std::stop_token& stop, snd_pcm_t& pcm) {
  std::vector<float> samples(period_frames * feed_->channels());
  while (!stop.stop_requested() && channels_ == opened_for_) {
    // Samples are taken only when there is room for them: while a write waited for it, they would be wanted that much
    // earlier. Errors are those of the write.
    snd_pcm_wait(&pcm, static_cast<int>(look_for_stop.count()));
    snd_pcm_sframes_t delay = 0;
    if (snd_pcm_delay(&pcm, &delay) < 0) delay = 0;  // not running yet
    const auto began = LocalClock::now();
    feed_->fill(samples, WallClock::now() + time_of_sample(delay).time_since_epoch());
    lead_.needs(time_of_sample(delay + period_frames).time_since_epoch());
    auto written = snd_pcm_writei(&pcm, samples.data(), period_frames);
    if (written < 0) written = snd_pcm_recover(&pcm, static_cast<int>(written), 1);
    if (written < 0) return snd_strerror(static_cast<int>(written));
    // A device that plays nothing takes everything at once.
    std::this_thread::sleep_until(began + least_turn);
  }
  return {};
}

}  // namespace lw
