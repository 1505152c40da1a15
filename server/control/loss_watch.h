// Turns a flow's count of lost packets into two events: one when losses begin, and one with the totals once there were
// no more for a while. Pure: the caller passes counts and time. Control thread only.
#pragma once

#include "common/base/units.h"
#include "server/control/flow_event.h"

#include <cstdint>
#include <optional>

namespace lw {

class LossWatch {
public:
  static constexpr std::chrono::seconds quiet{2};

  explicit LossWatch(const WatchedFlow& flow) : flow_(flow) {}

  // Totals from a report of the flow's node. `lost` is expected minus received packets, so it shrinks again when
  // packets arrive late.
  std::optional<PlayEvent> update(std::uint64_t lost, std::uint64_t repaired, LocalTime now);
  // The node was restarted and counts from 0 again.
  void restart() {
    most_.reset();
    began_.reset();
  }

private:
  struct Counts {
    std::uint64_t lost = 0;
    std::uint64_t repaired = 0;
  };
  const WatchedFlow flow_;
  std::optional<Counts> most_;  // highest loss so far, and the repairs of the newest report
  Counts at_begin_;
  std::optional<LocalTime> began_;  // empty while nothing is lost
  LocalTime last_loss_{};
};

}  // namespace lw
