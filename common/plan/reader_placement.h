// The cores of the threads that read frames from the disks: near the disks or the frames' memory, and not those from
// which flows are sent. Pure.
#pragma once

#include "common/host/disk.h"
#include "common/host/topology.h"
#include "common/plan/placement.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lw {

// The first core without a flow on the NUMA node that has the most of these disks, else on any other. Empty if the node
// of no disk is known, or if each core has a flow: the kernel then chooses.
std::optional<unsigned> place_reader(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                     const std::vector<Disk>& disks);

// A reader of the frames that lie on a NUMA node.
struct ReaderPlace {
  unsigned numa_node = 0;
  unsigned cpu = 0;                // there
  std::vector<std::size_t> tiles;  // in the order of the server's tiles
};

// A reader for each NUMA node on which frames lie, on the node's first core without a flow. The frames of a tile lie
// near the core of its first flow. Empty, which means one reader for all: the frames lie on one node, the node of a
// flow is unknown, or a node has no core left.
std::vector<ReaderPlace> place_readers(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                       unsigned flows_per_tile);

}  // namespace lw
