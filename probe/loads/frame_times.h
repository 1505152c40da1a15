// When the first packets of a flow's frames left or arrived: at most 4096 frames of a measurement, evenly spaced.
// Sender and receiver keep the same frames, chosen by their media times, so that one-way delays follow from both.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <vector>

namespace lw {

struct FrameTime {
  WallTime media_time{};
  WallTime time{};  // departure or arrival
};

class FrameTimes {
public:
  static constexpr std::size_t kept_max = 4096;

  explicit FrameTimes(FrameRate rate) : rate_(rate) {}
  void add(const FrameTime& frame) {
    if (!is_chosen(frame)) return;
    kept_.push_back(frame);
    if (kept_.size() <= kept_max) return;
    every_ *= 2;
    std::erase_if(kept_, [this](const FrameTime& one) { return !is_chosen(one); });
  }
  [[nodiscard]] const std::vector<FrameTime>& kept() const { return kept_; }

private:
  [[nodiscard]] bool is_chosen(const FrameTime& frame) const {
    __extension__ using Wide = __int128;
    const auto frames = Wide{frame.media_time.time_since_epoch().count()} * rate_.numerator;  // numerator, since 1970
    const auto second = Wide{1'000'000'000} * rate_.denominator;                              // denominator
    return (frames + second / 2) / second % every_ == 0;
  }

  FrameRate rate_;
  std::int64_t every_ = 1;
  std::vector<FrameTime> kept_;
};

}  // namespace lw
