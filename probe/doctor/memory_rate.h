// How fast the cores of a NUMA node read its memory together. Takes all its cores for the time, so it disturbs whatever
// plays there.
#pragma once

#include "common/base/result.h"
#include "common/host/topology.h"

#include <chrono>

namespace lw {

// Sets memory_bytes_per_s of each node with cores: a thread on each core reads its own memory, which is too large for
// the caches. Error if the host does not have that memory.
Result<void> measure_memory_rates(Topology& topology, std::chrono::milliseconds time_per_node);

}  // namespace lw
