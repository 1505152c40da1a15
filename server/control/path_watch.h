// Reports when one of a flow's two paths delivers nothing while the other does, and when it delivers again. Pure: the
// caller passes counts and time. Control thread only.
#pragma once

#include "common/base/units.h"
#include "server/control/flow_event.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

class PathWatch {
public:
  static constexpr std::chrono::milliseconds silence{500};

  explicit PathWatch(const WatchedFlow& flow) : flow_(flow) {}

  // Packets received by each path: totals from a report of the flow's node.
  std::optional<PlayEvent> update(const std::array<std::uint64_t, 2>& packets, LocalTime now);

private:
  const WatchedFlow flow_;
  std::array<std::uint64_t, 2> before_{};
  std::array<std::optional<LocalTime>, 2> heard_{};
  std::array<bool, 2> lost_{};
};

}  // namespace lw
