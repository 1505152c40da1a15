// "frames" of a side's progress: what it noted of the traced load's frames.
#pragma once

#include "common/messages/frame_records.h"

#include <cstdint>
#include <vector>

namespace lw {

struct RunFrames {
  bool sends = false;  // the side
  std::vector<FrameRecordMessage> records;
  std::uint64_t dropped = 0;

  static constexpr bool closed = false;
  static void members(auto& frames, auto& visit) {
    visit("sends", frames.sends);
    visit("records", frames.records, AtMost{frame_records_max});
    visit("dropped", frames.dropped);
  }
};

}  // namespace lw
