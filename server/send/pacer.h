// When the packets of a frame leave: evenly over a fraction of the frame interval (the linear sender of ST 2110-21), or
// over the part of it that the playout delay allows (common/wall/send_window), in runs of a few packets. Pure
// arithmetic; the flow sender waits and sends.
#pragma once

#include "common/base/units.h"
#include "common/wall/send_window.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace lw {

// For frames with the same interval and number of packets: computed once for a frame, used for each of its runs.
class FramePace {
public:
  FramePace() = default;  // a frame without packets
  FramePace(Nanoseconds window, Nanoseconds least, std::size_t packets, bool narrow)
      : apart_(per_packet(window, packets)), least_apart_(per_packet(least, packets)), narrow_(narrow) {}

  // When the packet with this index is due. A frame's first packet is due at its media time.
  [[nodiscard]] WallTime due(WallTime media_time, std::size_t packet) const {
    return media_time + times(apart_, packet);
  }

  // A late sender catches up gently: the next run follows a run of `count` packets no sooner than this.
  [[nodiscard]] Nanoseconds least_gap(std::size_t count) const { return times(least_apart_, count); }

  // When the next run may follow one of `count` packets that left at `now`, itself planned for no sooner than `before`.
  // A wake-up that is late by less than the run's share of the window is not a delay to catch up with gently: many of
  // these would add up, and a frame would take longer than its window. A sender that spins at the end of its waits
  // (narrow_) has none.
  [[nodiscard]] WallTime not_before(WallTime before, WallTime now, std::size_t count) const {
    const auto grace = narrow_ ? Nanoseconds{0} : std::max<Nanoseconds>(wake_up_late, times(apart_, count));
    return std::max(before, now - grace) + least_gap(count);
  }

private:
  // A sleep may always overshoot by this much.
  static constexpr std::chrono::microseconds wake_up_late{250};
  using FractionalNanoseconds = std::chrono::duration<double, std::nano>;

  static FractionalNanoseconds per_packet(Nanoseconds time, std::size_t packets) {
    return FractionalNanoseconds{time} / static_cast<double>(std::max<std::size_t>(1, packets));
  }
  static Nanoseconds times(FractionalNanoseconds apart, std::size_t packets) {
    return std::chrono::duration_cast<Nanoseconds>(apart * static_cast<double>(packets));
  }

  FractionalNanoseconds apart_{0};        // time between packets as paced
  FractionalNanoseconds least_apart_{0};  // the least time between packets while catching up
  bool narrow_ = false;
};

class Pacer {
public:
  explicit Pacer(const Wall& wall) : window_(wall), narrow_(wall.streaming.pace_spin.count() > 0) {}

  // ST 2110-21's network bucket drains a tenth faster than the mean rate, so a briefly delayed sender that catches up
  // at that rate stays within it. Senders that spin (pace_spin_us) do so. Otherwise it is more useful to have caught up
  // before the next stall: two thirds faster than paced.
  [[nodiscard]] FramePace of(Nanoseconds interval, std::size_t packets) const {
    const auto window = window_.of(interval);
    const auto gentle = std::min(interval * 10 / 11, window * 95 / 100);
    return {window, narrow_ ? gentle : window * 60 / 100, packets, narrow_};
  }

private:
  const SendWindow window_;
  const bool narrow_;
};

}  // namespace lw
