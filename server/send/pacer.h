// When the packets of a frame leave: evenly over a fraction of the frame's interval (the linear sender of ST 2110-21),
// or what the playout delay leaves of that (common/wall/send_window), in runs of a few packets. Pure arithmetic; the
// flow sender waits and sends.
#pragma once

#include "common/base/units.h"
#include "common/wall/send_window.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace lw {

// Of frames with the same interval and number of packets: worked out once for a frame, asked for each of its runs.
class FramePace {
public:
  FramePace() = default;  // a frame without packets
  FramePace(Nanoseconds window, Nanoseconds least, std::size_t packets, bool narrow)
      : apart_(per_packet(window, packets)), least_apart_(per_packet(least, packets)), narrow_(narrow) {}

  // When the packet with this index is due. A frame's first packet is due at its media time.
  [[nodiscard]] WallTime due(WallTime media_time, std::size_t packet) const {
    return media_time + times(apart_, packet);
  }

  // What is late is caught up with gently: a run of `count` packets must not follow the one before sooner than this.
  [[nodiscard]] Nanoseconds least_gap(std::size_t count) const { return times(least_apart_, count); }

  // When a run may follow one of `count` packets that left at `now`, which itself was not to leave before `before`. A
  // wake-up that came late by less than the run's share of the window does not count as a delay to catch up with
  // gently, or many would add up, and a frame take longer than its window. Where the end of a wait is spent spinning
  // there are none.
  [[nodiscard]] WallTime not_before(WallTime before, WallTime now, std::size_t count) const {
    const auto grace = narrow_ ? Nanoseconds{0} : std::max<Nanoseconds>(wake_up_late, times(apart_, count));
    return std::max(before, now - grace) + least_gap(count);
  }

private:
  // By so much a sleep may overshoot in any case.
  static constexpr std::chrono::microseconds wake_up_late{250};
  using FractionalNanoseconds = std::chrono::duration<double, std::nano>;

  static FractionalNanoseconds per_packet(Nanoseconds time, std::size_t packets) {
    return FractionalNanoseconds{time} / static_cast<double>(std::max<std::size_t>(1, packets));
  }
  static Nanoseconds times(FractionalNanoseconds apart, std::size_t packets) {
    return std::chrono::duration_cast<Nanoseconds>(apart * static_cast<double>(packets));
  }

  FractionalNanoseconds apart_{0};        // packets as paced,
  FractionalNanoseconds least_apart_{0};  // and where a sender catches up
  bool narrow_ = false;
};

class Pacer {
public:
  explicit Pacer(const Wall& wall) : window_(wall), narrow_(wall.streaming.pace_spin.count() > 0) {}

  // ST 2110-21's network bucket drains a tenth faster than the mean rate, so a briefly delayed sender stays within
  // it, where one that sends all it owes at once would not: what spins (pace_spin_us) keeps to that. Where nobody asked
  // for it, it is more useful to have caught up before the next stall: two thirds faster than paced.
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
