// How many packets of a flow, or of several, were lost over a time, and how many of them were repaired.
#pragma once

#include "wall-control/models/time_series.h"

#include <optional>

namespace lw {

// Packets per second; absent: not measured.
struct FlowLoss {
  std::optional<double> lost, kernel_drops, repaired;

  [[nodiscard]] bool any() const { return lost.value_or(0) > 0; }
  // Of those lost, from 0 to 1.
  [[nodiscard]] std::optional<double> dropped_share() const;
  [[nodiscard]] std::optional<double> repaired_share() const;
  // Of another flow. Of one that lost nothing there is nothing to explain.
  void add(const SeriesSet& series, const SampleSpan& span);
};

// Of one flow; its drops also if it lost nothing.
FlowLoss flow_loss(const SeriesSet& series, const SampleSpan& span);

}  // namespace lw
