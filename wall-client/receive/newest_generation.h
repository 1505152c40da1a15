// Recognizes frames from a server that was frozen or cut off and does not know yet what the wall plays now: of an older
// generation, at a time for which a newer one has frames. Their numbers belong to other frames, so they are refused
// before they are counted. One thread (the flow's).
#pragma once

#include "common/base/units.h"
#include "common/wire/media_packet.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace lw {

class NewestGeneration {
public:
  // A server hears within less time what plays. If such frames come for longer, they count: the newer generation was
  // not the wall's.
  static constexpr std::chrono::milliseconds stale_max{500};

  // Whether a frame with this stamp may be used.
  bool takes(const FrameStamp& stamp, WallTime arrival) {
    const auto ahead = distance_16(newest_.value_or(stamp.generation), stamp.generation);
    if (!newest_ || ahead > 0) return begin(stamp);
    if (ahead == 0) {
      begins_ = std::min(begins_, stamp.media_time);
      return true;
    }
    if (stamp.media_time < begins_) return true;
    if (arrival - stale_ > stale_max || arrival < stale_) stale_since_ = arrival;
    stale_ = arrival;
    return arrival - stale_since_ > stale_max && begin(stamp);
  }
  void reset() { newest_.reset(); }

private:
  bool begin(const FrameStamp& stamp) {
    newest_ = stamp.generation;
    begins_ = stamp.media_time;
    stale_ = {};
    return true;
  }

  std::optional<std::uint16_t> newest_;
  WallTime begins_{};  // media time of its first frame
  WallTime stale_since_{}, stale_{};
};

}  // namespace lw
