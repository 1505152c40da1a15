// Whether two sets of runs may be compared: the same machines, under the same load.
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

// A sentence for everything that is different; of the runs that count.
std::vector<std::string> unlikeness(std::span<const PointPair> pairs);

// Of the machines only: the loads of a sweep's points are meant to differ.
std::vector<std::string> unlike_machines(std::span<const PointPair> pairs);

}  // namespace lw
