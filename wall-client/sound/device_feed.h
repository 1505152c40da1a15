// From the thread that receives sound to the thread of a sound device: what the device plays when. The device has
// its own clock, so the samples are resampled (libsamplerate).
//
// The law: what is heard at a time is what has this presentation time. Differences that grow slowly, as of clocks, are
// removed by playing a little faster or slower; larger ones, as after a seek, by going to the right sample at once.
// What has not come in time is silence, and so is what came too late for the device.
//
// Threads: put() is for one thread, fill() for another, the rest for any. No allocation after construction.
#pragma once

#include "common/base/sound_time.h"
#include "common/concurrency/spsc_ring.h"
#include "wall-client/sound/sound_output.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct SRC_STATE_tag;

namespace lw {

class DeviceFeed {
public:
  // A difference above which it goes to the right sample. Nobody notices it between sound and frames (ITU-R
  // BT.1359: 45 ms early, 125 ms late).
  static constexpr std::chrono::milliseconds step{5};

  // Of the device: 1 to 8 channels, samples per second.
  DeviceFeed(unsigned channels, unsigned rate);
  ~DeviceFeed();
  DeviceFeed(const DeviceFeed&) = delete;
  DeviceFeed& operator=(const DeviceFeed&) = delete;

  [[nodiscard]] unsigned channels() const { return channels_; }
  // A single channel is played by the first two. On a device with two, more are mixed as ITU-R BS.775 does, less loud
  // so that nothing clips; otherwise of more than the device has, the first ones are played.
  void put(const PlayedSound& part);
  // The device's next samples, interleaved, -1 to 1. `heard`: when the first of them is heard.
  void fill(std::span<float> samples, WallTime heard);
  void put_figures(SoundNodeStats& into) const;
  [[nodiscard]] std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }  // parts: no room

private:
  struct Part {
    std::int64_t first = 0;  // sample of the wall's time
    std::size_t frames = 0;
    WallTime pts{};
    std::array<float, static_cast<std::size_t>(sound_rate / 1000) * sound_channels_max> samples{};
  };
  struct ReleaseResampler {
    void operator()(SRC_STATE_tag* state) const;
  };

  using Mix = std::array<std::array<float, sound_channels_max>, sound_channels_max>;  // by the device's channel
  [[nodiscard]] Mix mix_of(unsigned channels) const;
  // For the resampler: the samples after those that it has.
  static long next_samples(void* feed, float** samples);
  bool load_part();
  [[nodiscard]] double wanted_at(WallTime heard) const;
  [[nodiscard]] double frames_of(double samples) const { return samples * rate_ / static_cast<double>(sound_rate); }
  std::size_t begin(std::size_t frames, WallTime heard);
  void correct(WallTime heard);
  void take(std::span<float> samples, WallTime heard);

  const unsigned channels_;
  const double rate_;
  SpscRing<Part> parts_;
  // Of the thread that puts.
  Part putting_;
  Mix mix_{};
  unsigned mixed_channels_ = 0;  // for which the mix is
  // Of the device's thread.
  std::unique_ptr<SRC_STATE_tag, ReleaseResampler> resampler_;
  Part part_;  // whose samples are played, or the next one
  bool has_part_ = false;
  std::size_t used_ = 0;  // frames of it that the resampler has
  bool plays_ = false;
  double position_ = 0;  // the sample that is played next, of the wall's time
  double error_ = 0;     // smoothed, in samples
  double ratio_ = 1;     // frames of the device for each sample
  std::atomic<std::uint64_t> steps_{0}, gaps_{0}, refused_{0};
  std::atomic<bool> is_heard_{false};
  std::atomic<std::int64_t> difference_ns_{0};
};

}  // namespace lw
