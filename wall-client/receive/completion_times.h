// How long after their media times the newest frames were complete: when their last packet arrived, even if too late to
// be shown. This is the playout delay that a frame needs to be shown complete. A frame enters the histogram when later
// packets can no longer change its time. One thread; no allocation.
#pragma once

#include "common/base/units.h"
#include "common/metrics/time_histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace lw {

class CompletionTimes {
public:
  // `all`: must outlive this object.
  explicit CompletionTimes(TimeHistogram& all) : all_(all) {}

  // A packet of the frame arrived at `arrival`. The last of several packets counts.
  void add(WallTime media_time, WallTime arrival) {
    const auto time = arrival - media_time;
    const auto back = std::min(count_, late_within);
    for (std::size_t i = 1; i <= back; ++i) {
      Frame& frame = frames_[(next_ + size - i) % size];
      if (frame.media_time != media_time) continue;
      frame.time = std::max(frame.time, time);
      return;
    }
    if (count_ >= late_within) all_.add(frames_[(next_ + size - late_within) % size].time);
    frames_[next_] = {media_time, time};
    next_ = (next_ + 1) % size;
    count_ = std::min(count_ + 1, size);
  }
  void clear() { next_ = count_ = 0; }

  // Nearest rank, over the newest frames; empty before the first.
  [[nodiscard]] std::optional<Nanoseconds> quantile(double fraction) const {
    if (count_ == 0) return std::nullopt;
    std::array<Nanoseconds, size> times;
    for (std::size_t i = 0; i < count_; ++i) times[i] = frames_[i].time;
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(count_)));
    const auto nth = times.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, count_) - 1);
    std::nth_element(times.begin(), nth, times.begin() + static_cast<std::ptrdiff_t>(count_));
    return *nth;
  }

private:
  static constexpr std::size_t size = 512;        // some 17 s at 30 frame/s
  static constexpr std::size_t late_within = 64;  // number of newest frames of which packets may still arrive

  struct Frame {
    WallTime media_time{};
    Nanoseconds time{0};
  };
  TimeHistogram& all_;
  std::array<Frame, size> frames_{};
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace lw
