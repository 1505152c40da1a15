// What the flows of a run carried together, over time.
#pragma once

#include "probe/results/probe_result.h"

#include <span>

namespace lw {

struct TimedValue {
  double begin_s = 0, end_s = 0, value = 0;
};

// Of the intervals that have the figure.
std::vector<TimedValue> values_over_time(const ResultFlow& flow, const std::string& figure);

// Flows do not end their intervals together. So the sum is over intervals as long as theirs, and each flow adds to one
// by how much of it its own intervals cover.
std::vector<TimedValue> sum_over_time(std::span<const ResultFlow* const> flows, const std::string& figure);

}  // namespace lw
