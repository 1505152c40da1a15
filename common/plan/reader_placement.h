// The core of the thread that reads frames from the disks: near the disks, and not one from which a flow is sent. Pure.
#pragma once

#include "common/host/disk.h"
#include "common/host/topology.h"
#include "common/plan/placement.h"

#include <optional>
#include <vector>

namespace lw {

// The first core without a flow on the NUMA node that has the most of these disks, else on any other. Empty if the node
// of no disk is known, or if each core has a flow: the kernel then chooses.
std::optional<unsigned> place_reader(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                     const std::vector<Disk>& disks);

}  // namespace lw
