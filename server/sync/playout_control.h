// Adapts the playout delay to how long frames take, within the bounds of the wall file. Receivers report within which
// delay all but one in a hundred of their newest frames arrived; the target is the largest of these plus a margin. With
// [sync] mode = "wall" a frame must then also be reported and committed, which takes longer the longer the path is. The
// delay grows as soon as the target exceeds it, and shrinks when the target has been less for a while (like the
// adaptive playout of audio receivers, Ramjee et al., INFOCOM 1994, but for a whole wall). It changes gently: see
// PlayoutRamp. Pure; one thread.
#pragma once

#include "common/base/units.h"
#include "common/wall/wall_file.h"
#include "common/wire/playout_ramp.h"
#include "server/send/flow_feedback.h"

#include <optional>
#include <span>

namespace lw {

class PlayoutControl {
public:
  PlayoutControl(const StreamingSettings& streaming, SyncMode mode);

  // The delay to use, computed from the receivers' reports.
  const PlayoutRamp& step(std::span<const FlowFeedback> flows, WallTime now, LocalTime local_now);
  // The flow that needs the longest delay, as far as is known.
  [[nodiscard]] std::optional<unsigned> slowest_flow() const { return slowest_flow_; }

private:
  [[nodiscard]] std::optional<Nanoseconds> wanted(std::span<const FlowFeedback> flows, LocalTime now);
  void change(Nanoseconds to, WallTime now);

  const Nanoseconds least_;
  const Nanoseconds most_;
  const SyncMode mode_;
  PlayoutRamp delay_;
  std::optional<LocalTime> less_since_;  // since when the target has been less than the delay
  Nanoseconds less_{0};                  // the largest target since then
  std::optional<unsigned> slowest_flow_;
};

}  // namespace lw
