// Adapts the playout delay to how long frames take, within the bounds of the wall file. Receivers report within which
// delay all but one in a hundred of their newest frames arrived; the target is the largest of these plus a margin. With
// [sync] mode = "wall" a frame must then also be reported and committed, which takes longer the longer the path is. The
// delay grows as soon as the target exceeds it, and shrinks when the target has been less for a while (like the
// adaptive playout of audio receivers, Ramjee et al., INFOCOM 1994, but for a whole wall). It changes gently: see
// PlayoutRamp. Of several servers, one decides: the others tell it what their flows need, and keep to its ramps. Pure;
// one thread.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "server/send/flow_feedback.h"

#include <optional>
#include <span>

namespace lw {

// The longest delay that a flow needs, with all margins, and which flow that is.
struct NeededDelay {
  Nanoseconds delay{0};
  unsigned flow = 0;

  bool operator==(const NeededDelay&) const = default;
};
// Empty: no receiver has reported lately. The flow is an index of `flows`.
std::optional<NeededDelay> delay_needed(std::span<const FlowFeedback> flows, SyncMode mode, LocalTime now);
// The one that needs more.
std::optional<NeededDelay> longer(const std::optional<NeededDelay>& one, const std::optional<NeededDelay>& other);

class PlayoutControl {
public:
  explicit PlayoutControl(const StreamingSettings& streaming);

  // The delay to use. `ahead`: how long the wall's other servers take to hear of a change.
  const PlayoutRamp& step(const std::optional<NeededDelay>& need, WallTime now, LocalTime local_now,
                          Nanoseconds ahead = Nanoseconds{0});
  // As another server has decided.
  void keep_to(const PlayoutRamp& delay) {
    delay_ = delay;
    less_since_.reset();
  }

private:
  void change(Nanoseconds to, WallTime start);

  const Nanoseconds least_;
  const Nanoseconds most_;
  PlayoutRamp delay_;
  std::optional<LocalTime> less_since_;  // since when the target has been less than the delay
  Nanoseconds less_{0};                  // the largest target since then
};

}  // namespace lw
