// The CPUs of a node's flows, where the wall file names none.
#pragma once

#include "common/host/topology.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lw {

// In turn, for a node with so many flows: the cores of the NUMA node `near`, where the packets arrive, if there is one
// for each flow, else all cores of the host; and the other hardware threads of cores only where flows are more than
// cores. Counted from the last: the presenter and everything else begin with the first. Empty if there are no cores.
std::vector<int> flow_cpus(const Topology& topology, std::optional<unsigned> near, std::size_t flows);

}  // namespace lw
