// Turns a flow's growing count of lost packets into two events: that it began, and, once it has been quiet for a while,
// what it was in all. Pure; the caller brings counts and time. Control thread only.
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

  // Totals of a report of the flow's node. The lost ones are those expected less those received: there are fewer again
  // when some come late.
  std::optional<PlayEvent> update(std::uint64_t lost, std::uint64_t repaired, LocalTime now);
  // The node started anew, and counts from 0 again.
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
  std::optional<Counts> most_;  // that were lost at a time, and what was repaired by the newest report
  Counts at_begin_;
  std::optional<LocalTime> began_;  // while it goes on
  LocalTime last_loss_{};
};

}  // namespace lw
