// When the packets of a frame leave: evenly over a fraction of the frame's interval (the linear sender of ST 2110-21),
// in runs of a few packets. Pure arithmetic; the flow sender waits and sends.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <cstddef>

namespace lw {

class Pacer {
public:
  // `narrow`: keeps to the spacing of ST 2110-21's narrow sender also when it has to catch up.
  Pacer(Pacing pacing, double pace_fraction, bool narrow)
      : spread_(pacing == Pacing::none ? 0 : pace_fraction), narrow_(narrow) {}

  // When the packet with this index (of `packets` in the frame) is due. A frame's first packet is due at its media
  // time.
  [[nodiscard]] WallTime due(WallTime media_time, Nanoseconds interval, std::size_t packet, std::size_t packets) const {
    const double share = spread_ * static_cast<double>(packet) / static_cast<double>(packets);
    return media_time + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(interval.count()) * share)};
  }

  // What is late is caught up with gently: a run of `count` packets must not follow the one before sooner than this.
  // ST 2110-21's network bucket drains a tenth faster than the mean rate, so a sender held up for a moment stays within
  // it, where one that sends all it owes at once would not. Where nobody asked for that, it is more useful to have
  // caught up before the next stall: two thirds faster than paced.
  [[nodiscard]] Nanoseconds least_gap(Nanoseconds interval, std::size_t count, std::size_t packets) const {
    const double of_interval = narrow_ ? std::min(1 / 1.1, 0.95 * spread_) : 0.6 * spread_;
    const double share = of_interval * static_cast<double>(count) / static_cast<double>(packets);
    return Nanoseconds{static_cast<std::int64_t>(static_cast<double>(interval.count()) * share)};
  }

private:
  double spread_;
  bool narrow_;
};

}  // namespace lw
