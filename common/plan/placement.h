// The core of each flow: one flow per core while there are enough, near the network card that it uses. Then flows share
// cores, and those of one CPU share its thread.
#pragma once

#include "common/host/nic.h"
#include "common/host/topology.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <vector>

namespace lw {

struct FlowPlacement {
  unsigned flow = 0;                      // its number on the wall
  std::optional<unsigned> cpu;            // absent if the host's cores are unknown
  std::optional<unsigned> numa_node;      // of that core
  std::optional<unsigned> nic_numa_node;  // of the card that the flow uses
  // The card's queue for that core's packets, if the kernel binds queues to cores (XPS), and the queue's interrupt.
  std::optional<unsigned> queue;
  std::optional<unsigned> irq;
  std::vector<unsigned> irq_cpus;

  [[nodiscard]] bool crosses_nodes() const { return numa_node && nic_numa_node && *numa_node != *nic_numa_node; }
};

// Assigns the cores of a host one by one: the core with the fewest threads so far; of equal ones the first on the
// preferred NUMA node, else the first of all. Hardware threads of a core are used in turn. One thread.
class CoreChoice {
public:
  struct Core {
    unsigned cpu = 0;
    std::optional<unsigned> numa_node;
    bool shared = false;  // with a thread placed earlier
  };
  explicit CoreChoice(const Topology& topology) : topology_(topology), threads_on_(topology.cores.size()) {}
  // `near`: a NUMA node. Empty if the host's cores are unknown.
  std::optional<Core> next(std::optional<unsigned> near);

private:
  const Topology& topology_;  // must outlive this object
  std::vector<unsigned> threads_on_;
};

// Of the flows of one server, in their order. Where the wall file names CPUs ([[server]] cpus), the first flow runs on
// the first of them, and so on. Else by CoreChoice, near the flow's card. The same wall on the same host always gives
// the same placement.
std::vector<FlowPlacement> place_flows(const Wall& wall, const WallServer& server, const Topology& topology,
                                       const std::vector<Nic>& nics);

// How many threads step flows that are placed so; as many as flows where the host's cores are not known.
unsigned threads_of(const std::vector<FlowPlacement>& placement);

}  // namespace lw
