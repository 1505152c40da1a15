// "frames" in a side's progress: its frame records of the traced load.
#pragma once

#include "common/messages/frame_records.h"

#include <cstdint>
#include <vector>

namespace lw {

struct RunFrames {
  bool sends = false;  // the side sends
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
