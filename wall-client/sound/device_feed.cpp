#include "wall-client/sound/device_feed.h"

#include <samplerate.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t parts_max = 1024;  // of a millisecond
constexpr float full_scale = 2147483648.0F;
// A difference is halved within about a second and a half: faster than clocks drift apart (some 100 ppm), too slow to
// hear. The speed changes by at most 0.3 %, a twentieth of a semitone.
constexpr double correction_s = 2;
constexpr double correction_max = 0.003;
// Times from a device jitter by some of its periods.
constexpr double smoothing = 0.05;

double samples_in(Nanoseconds time) { return std::chrono::duration<double>(time).count() * sound_rate; }

}  // namespace

void DeviceFeed::ReleaseResampler::operator()(SRC_STATE_tag* state) const { src_delete(state); }

DeviceFeed::DeviceFeed(unsigned channels, unsigned rate) : channels_(channels), rate_(rate), parts_(parts_max) {
  assert(channels >= 1 && channels <= sound_channels_max);
  int error = 0;
  resampler_.reset(
      src_callback_new(&DeviceFeed::next_samples, SRC_SINC_MEDIUM_QUALITY, static_cast<int>(channels), &error, this));
  assert(resampler_ != nullptr);
  ratio_ = frames_of(1);
}

DeviceFeed::~DeviceFeed() = default;

// Channels are in the order of the sound formats: left, right, centre, low frequencies, rear and side pairs; four are
// two pairs. Low frequencies are not mixed.
DeviceFeed::Mix DeviceFeed::mix_of(unsigned channels) const {
  constexpr float half = 0.70710678F;  // of the power
  Mix mix{};
  for (unsigned channel = 0; channel < std::min(channels, channels_); ++channel) mix[channel][channel] = 1;
  if (channels_ < 2) return mix;
  if (channels == 1) mix[1][0] = 1;
  if (channels_ != 2 || channels <= 2) return mix;
  const unsigned pairs_from = channels == 4 ? 2 : 4;
  if (channels != 4) mix[0][2] = mix[1][2] = half;
  for (unsigned channel = pairs_from; channel < channels; ++channel) mix[channel % 2][channel] = half;
  for (auto* side : {&mix[0], &mix[1]}) {
    const float sum = std::accumulate(side->begin(), side->end(), 0.0F);
    for (auto& factor : *side) factor /= sum;
  }
  return mix;
}

void DeviceFeed::put(const PlayedSound& part) {
  if (part.channels == 0) return;
  if (std::exchange(mixed_channels_, part.channels) != part.channels) mix_ = mix_of(part.channels);
  putting_.first = part.first_sample;
  putting_.pts = part.pts;
  putting_.frames = std::min(part.samples.size() / part.channels, putting_.samples.size() / sound_channels_max);
  for (std::size_t frame = 0; frame < putting_.frames; ++frame) {
    const auto from = part.samples.subspan(frame * part.channels, part.channels);
    for (unsigned channel = 0; channel < channels_; ++channel) {
      float sum = 0;
      for (unsigned i = 0; i < part.channels; ++i)
        if (mix_[channel][i] > 0) sum += mix_[channel][i] * (static_cast<float>(from[i]) / full_scale);
      putting_.samples[frame * channels_ + channel] = sum;
    }
  }
  if (!parts_.try_push(putting_)) refused_.fetch_add(1, std::memory_order_relaxed);
}

bool DeviceFeed::load_part() {
  if (has_part_) return true;
  has_part_ = parts_.try_pop(part_);
  used_ = 0;
  return has_part_;
}

// Parts that do not follow one another are another sound, or one that has moved: it ends here, and begins again.
long DeviceFeed::next_samples(void* feed, float** samples) {
  auto& self = *static_cast<DeviceFeed*>(feed);
  if (self.has_part_ && self.used_ == self.part_.frames) {
    const auto expected = self.part_.first + static_cast<std::int64_t>(self.part_.frames);
    self.has_part_ = false;
    if (self.load_part() && self.part_.first != expected) return 0;
  }
  if (!self.has_part_) return 0;
  *samples = self.part_.samples.data() + self.used_ * self.channels_;
  const auto frames = self.part_.frames - self.used_;
  self.used_ = self.part_.frames;
  return static_cast<long>(frames);
}

// Presentation times are those of the newest part: the playout delay may change while it plays.
double DeviceFeed::wanted_at(WallTime heard) const {
  return static_cast<double>(part_.first) + samples_in(heard - part_.pts);
}

// Goes to the sample that is heard then. Returns how many frames of silence come before it: all if there is none.
std::size_t DeviceFeed::begin(std::size_t frames, WallTime heard) {
  for (; load_part(); has_part_ = false) {
    const double wanted = wanted_at(heard);
    const double end = static_cast<double>(part_.first) + static_cast<double>(part_.frames);
    if (wanted >= end) continue;
    const double silent = std::max(0.0, std::ceil(frames_of(static_cast<double>(part_.first) - wanted)));
    if (silent >= static_cast<double>(frames)) return frames;
    used_ = static_cast<std::size_t>(std::max(0.0, std::floor(wanted - static_cast<double>(part_.first))));
    position_ = static_cast<double>(part_.first) + static_cast<double>(used_);
    error_ = 0;
    ratio_ = frames_of(1);
    src_reset(resampler_.get());
    plays_ = true;
    steps_.fetch_add(1, std::memory_order_relaxed);
    return static_cast<std::size_t>(silent);
  }
  return frames;
}

void DeviceFeed::correct(WallTime heard) {
  const double error = position_ - wanted_at(heard);
  if (std::abs(error) > samples_in(step)) {
    plays_ = false;
    return;
  }
  error_ += (error - error_) * smoothing;
  difference_ns_.store(static_cast<std::int64_t>(error_ * 1e9 / sound_rate), std::memory_order_relaxed);
  ratio_ = frames_of(1) * (1 + std::clamp(error_ / (sound_rate * correction_s), -correction_max, correction_max));
}

void DeviceFeed::fill(std::span<float> samples, WallTime heard) {
  take(samples, heard);
  is_heard_.store(plays_, std::memory_order_relaxed);
}

void DeviceFeed::take(std::span<float> samples, WallTime heard) {
  const auto frames = samples.size() / channels_;
  std::size_t filled = 0;
  if (plays_) correct(heard);
  if (!plays_) {
    filled = begin(frames, heard);
    std::fill_n(samples.begin(), filled * channels_, 0.0F);
  }
  if (filled == frames) return;
  const auto wanted = static_cast<long>(frames - filled);
  const auto got = std::max(0L, src_callback_read(resampler_.get(), ratio_, wanted, &samples[filled * channels_]));
  position_ += static_cast<double>(got) / ratio_;
  if (got == wanted) return;
  std::fill(samples.begin() + static_cast<std::ptrdiff_t>((filled + static_cast<std::size_t>(got)) * channels_),
            samples.end(), 0.0F);
  plays_ = false;
  gaps_.fetch_add(1, std::memory_order_relaxed);
}

void DeviceFeed::put_figures(SoundNodeStats& into) const {
  into.device_steps = steps_.load(std::memory_order_relaxed);
  into.device_gaps = gaps_.load(std::memory_order_relaxed);
  into.device_difference.reset();
  if (is_heard_.load(std::memory_order_relaxed))
    into.device_difference = Nanoseconds{difference_ns_.load(std::memory_order_relaxed)};
}

}  // namespace lw
