// Whether a flow's frames have parity, and how that is numbered, as the coordinator of several servers has decided
// ([streaming] fec = "auto"). Counted in frames that were due, so that all servers that know the line and the switch
// send the same parity; its numbers have no gaps where it was switched off.
#pragma once

#include "server/send/frame_counts.h"

namespace lw {

struct ParitySwitch {
  bool on = false;      // from `at` on; before, the opposite
  FrameCounts at;       // frames due before the first frame that it applies to
  FrameCounts without;  // frames due before `at`, or before parity was switched on last, that had none

  // `before`: frames due before the one in question.
  [[nodiscard]] bool has_parity(const FrameCounts& before) const { return (before.total() >= at.total()) == on; }
  // Frames with parity before that one; only for a frame that has parity.
  [[nodiscard]] FrameCounts numbered(const FrameCounts& before) const { return before - without; }

  [[nodiscard]] ParitySwitch switched(bool to, const FrameCounts& from) const {
    ParitySwitch next{to, from, without};
    if (to) next.without += from - at;
    return next;
  }
  bool operator==(const ParitySwitch&) const = default;
};

}  // namespace lw
