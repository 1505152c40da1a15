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

class Pacer {
public:
  explicit Pacer(const Wall& wall) : window_(wall), narrow_(wall.streaming.pace_spin.count() > 0) {}

  // When the packet with this index (of `packets` in the frame) is due. A frame's first packet is due at its media
  // time.
  [[nodiscard]] WallTime due(WallTime media_time, Nanoseconds interval, std::size_t packet, std::size_t packets) const {
    return media_time + share_of(window_.of(interval), packet, packets);
  }

  // What is late is caught up with gently: a run of `count` packets must not follow the one before sooner than this.
  // ST 2110-21's network bucket drains a tenth faster than the mean rate, so a briefly delayed sender stays within
  // it, where one that sends all it owes at once would not: what spins (pace_spin_us) keeps to that. Where nobody asked
  // for it, it is more useful to have caught up before the next stall: two thirds faster than paced.
  [[nodiscard]] Nanoseconds least_gap(Nanoseconds interval, std::size_t count, std::size_t packets) const {
    const auto window = window_.of(interval);
    const auto gentle = std::min(share_of(interval, 10, 11), share_of(window, 95, 100));
    return share_of(narrow_ ? gentle : share_of(window, 60, 100), count, packets);
  }

  // When a run may follow one of `count` packets that left at `now`, which itself was not to leave before `before`. A
  // wake-up that came late by less than the run's share of the window does not count as a delay to catch up with
  // gently, or many would add up, and a frame take longer than its window. Where the end of a wait is spent spinning
  // there are none.
  [[nodiscard]] WallTime not_before(WallTime before, WallTime now, Nanoseconds interval, std::size_t count,
                                    std::size_t packets) const {
    const auto share = share_of(window_.of(interval), count, packets);
    const auto grace = narrow_ ? Nanoseconds{0} : std::max<Nanoseconds>(wake_up_late, share);
    return std::max(before, now - grace) + least_gap(interval, count, packets);
  }

private:
  // By so much a sleep may overshoot in any case.
  static constexpr std::chrono::microseconds wake_up_late{250};

  static Nanoseconds share_of(Nanoseconds time, std::size_t part, std::size_t parts) {
    const double share = static_cast<double>(part) / static_cast<double>(parts);
    return Nanoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * share)};
  }

  const SendWindow window_;
  const bool narrow_;
};

}  // namespace lw
