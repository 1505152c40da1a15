// Which core each flow's thread runs on: one flow per core while there are cores, near the network card it leaves by.
#pragma once

#include "common/host/nic.h"
#include "common/host/topology.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <vector>

namespace lw {

struct FlowPlacement {
  unsigned flow = 0;
  std::optional<unsigned> cpu;            // absent where the host's cores are not known
  std::optional<unsigned> numa_node;      // of that core
  std::optional<unsigned> nic_numa_node;  // of the card the flow leaves by
  // The card's queue for that core's packets, where the kernel binds them (XPS), and the queue's interrupt.
  std::optional<unsigned> queue;
  std::optional<unsigned> irq;
  std::vector<unsigned> irq_cpus;

  [[nodiscard]] bool crosses_nodes() const { return numa_node && nic_numa_node && *numa_node != *nic_numa_node; }
};

// Hands out the cores of a host one by one: the one with the fewest threads so far, of equals the first on the wanted
// NUMA node, then the first of all. Hardware threads of a core are used in turn. One thread.
class CoreChoice {
public:
  struct Core {
    unsigned cpu = 0;
    std::optional<unsigned> numa_node;
    bool shared = false;  // with a thread that was placed before
  };
  explicit CoreChoice(const Topology& topology) : topology_(topology), threads_on_(topology.cores.size()) {}
  // `near`: a NUMA node. Nothing of a host whose cores are not known.
  std::optional<Core> next(std::optional<unsigned> near);

private:
  const Topology& topology_;  // outlives this
  std::vector<unsigned> threads_on_;
};

// Of the flows of one server, in their order. Where the wall file names CPUs ([[server]] cpus), the first flow runs on
// the first of them, and so on. Else by CoreChoice, near the flow's card. The same wall on the same host always gives
// the same placement.
std::vector<FlowPlacement> place_flows(const Wall& wall, const WallServer& server, const Topology& topology,
                                       const std::vector<Nic>& nics);

}  // namespace lw
