// Sound by a device of ALSA, for hosts without PipeWire. A thread writes to it.
#pragma once

#include "common/base/result.h"
#include "wall-client/sound/device_feed.h"
#include "wall-client/sound/device_lead.h"
#include "wall-client/sound/sound_output.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

using snd_pcm_t = struct _snd_pcm;  // NOLINT(bugprone-reserved-identifier): ALSA's name

namespace lw {

class AlsaOutput final : public SoundOutput {
public:
  // Fails if there is no such device now.
  static Result<std::unique_ptr<SoundOutput>> open(const std::string& device);
  ~AlsaOutput() override;

  void play(const PlayedSound& part) override;
  [[nodiscard]] Nanoseconds lead() const override { return lead_.now(); }
  void put_figures(SoundNodeStats& into) const override;
  [[nodiscard]] std::string text() const override { return "ALSA's device " + device_; }

private:
  struct Close {
    void operator()(snd_pcm_t* pcm) const;
  };
  using Pcm = std::unique_ptr<snd_pcm_t, Close>;

  explicit AlsaOutput(std::string device) : device_(std::move(device)) {}
  [[nodiscard]] Result<Pcm> open_pcm(unsigned channels) const;
  void run(const std::stop_token& stop, Pcm pcm);
  // For the channels of the sound, or for two; waits until it can. Null at the end.
  Pcm reopen(const std::stop_token& stop);
  // Until it fails, or the sound has other channels. Returns what failed.
  std::string write(const std::stop_token& stop, snd_pcm_t& pcm);

  const std::string device_;
  std::atomic<unsigned> channels_{2};  // of the sound
  unsigned opened_for_ = 2;            // of the thread: the channels for which the device was opened
  // Replaced by the thread, while it writes nothing; the receiver's thread holds the lock for each millisecond.
  mutable std::mutex feed_lock_;
  std::unique_ptr<DeviceFeed> feed_;
  DeviceLead lead_;
  std::jthread thread_;
};

}  // namespace lw
