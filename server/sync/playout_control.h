// Adapts the playout delay to how long frames take, within the bounds of the wall file. Receivers say by when all but
// one in a hundred of their newest frames had come; the largest of these and a margin is what is wanted. With
// [sync] mode = "wall" a frame must then also be reported and committed, which takes more the longer the path is. The
// delay grows as soon as that is more than it is, and shrinks when it has been less for a while (the adaptive playout
// of audio receivers, Ramjee et al., INFOCOM 1994, but for a whole wall). It changes gently: see PlayoutRamp. Pure; one
// thread.
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

  // The delay to keep to, from what the flows' receivers said.
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
  std::optional<LocalTime> less_since_;  // that less was wanted,
  Nanoseconds less_{0};                  // and at most this
  std::optional<unsigned> slowest_flow_;
};

}  // namespace lw
