// Which frame is shown when: the visualization's position at each tick of the wall. A tick is one frame interval. Ticks
// advance while paused (the same frame is sent again), so that a node that joins late gets the frame. Pure; stepped by
// the playback thread, so all tiles change at the same tick.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

struct FrameRange {
  std::uint32_t first = 0, last = 0;  // inclusive
  [[nodiscard]] bool has(std::uint32_t frame) const { return frame >= first && frame <= last; }
  bool operator==(const FrameRange&) const = default;
};

class Timeline {
public:
  // From tick 0 at `start`, over all frames.
  void begin(WallTime start, FrameRate rate, std::uint32_t frame_count, std::uint32_t frame);
  void seek(std::uint32_t frame);
  void set_rate(double frames_per_tick) { rate_ = frames_per_tick; }
  void set_loop(bool loop) { loop_ = loop; }
  // Plays the range this many times before it ends, regardless of loop; empty: as loop says.
  void set_times(std::optional<std::uint32_t> times);
  // Limits playing to these frames; leaves a frame outside of them at once.
  void set_range(FrameRange range);
  void set_paused(bool paused) { paused_ = paused; }

  [[nodiscard]] WallTime media_time() const { return start_ + frame_rate_.duration_of(tick_); }  // of the current tick
  [[nodiscard]] Nanoseconds interval() const {
    return frame_rate_.duration_of(tick_ + 1) - frame_rate_.duration_of(tick_);
  }
  [[nodiscard]] std::uint32_t frame() const { return static_cast<std::uint32_t>(position_); }
  [[nodiscard]] bool paused() const { return paused_; }
  [[nodiscard]] bool ended() const { return ended_; }  // reached the end without loop, and paused there

  // Delays the current tick and all after it: the clock was set.
  void shift(Nanoseconds by) { start_ += by; }
  // Goes to the next tick.
  void advance();

private:
  bool goes_round();

  WallTime start_{};
  FrameRate frame_rate_;
  std::int64_t tick_ = 0;
  FrameRange range_;
  std::optional<std::uint32_t> times_;
  std::uint32_t rounds_ = 0;  // completed
  double position_ = 0;       // in frames; its integer part is shown
  double rate_ = 1;
  bool loop_ = true;
  bool paused_ = false;
  bool ended_ = false;
};

}  // namespace lw
