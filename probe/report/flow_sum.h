// The total rate of a run's flows over time.
#pragma once

#include "probe/results/probe_result.h"

#include <span>

namespace lw {

struct TimedValue {
  double begin_s = 0, end_s = 0, value = 0;
};

// From the intervals that have the figure.
std::vector<TimedValue> values_over_time(const ResultFlow& flow, const std::string& figure);

// The flows' intervals do not end together. So the sum has intervals of the same length, and each flow contributes to
// an interval in proportion to how much of it its own intervals cover.
std::vector<TimedValue> sum_over_time(std::span<const ResultFlow* const> flows, const std::string& figure);

}  // namespace lw
