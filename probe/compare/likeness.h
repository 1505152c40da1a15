// Whether two sets of runs are comparable: the same machines under the same load.
#pragma once

#include "probe/results/results.h"

#include <span>
#include <string>
#include <vector>

namespace lw {

// The same point of two sweeps.
struct PointPair {
  const PointRuns* a;
  const PointRuns* b;
};

// A sentence for each difference between the runs that count.
std::vector<std::string> unlikeness(std::span<const PointPair> pairs);

// Compares only the machines: the loads of a sweep's points differ on purpose.
std::vector<std::string> unlike_machines(std::span<const PointPair> pairs);

}  // namespace lw
