#include "common/plan/placement.h"

#include <algorithm>
#include <tuple>

namespace lw {
namespace {

const Nic* nic_of_flow(const Wall& wall, unsigned flow, const std::vector<Nic>& nics) {
  const auto& interfaces = wall.server.interfaces;
  return interfaces.empty() ? nullptr : nic_of_address(nics, interfaces[flow % interfaces.size()]);
}

// Flows so far on each core.
using FlowCounts = std::vector<unsigned>;

void place_as_told(unsigned cpu, const Topology& topology, FlowPlacement& placement) {
  placement.cpu = cpu;
  for (const auto& core : topology.cores)
    if (std::ranges::find(core.cpus, cpu) != core.cpus.end()) placement.numa_node = core.numa_node;
}

void place_on_best_core(const Topology& topology, FlowCounts& flows_on, FlowPlacement& placement) {
  std::optional<std::size_t> best;
  const auto cost = [&](std::size_t core) {
    const bool far = placement.nic_numa_node && topology.cores[core].numa_node != placement.nic_numa_node;
    return std::tuple(flows_on[core], far, core);
  };
  for (std::size_t core = 0; core < topology.cores.size(); ++core)
    if (!topology.cores[core].cpus.empty() && (!best || cost(core) < cost(*best))) best = core;
  if (!best) return;
  const auto& core = topology.cores[*best];
  placement.cpu = core.cpus[flows_on[*best] % core.cpus.size()];
  placement.numa_node = core.numa_node;
  ++flows_on[*best];
}

void find_queue(const Nic& nic, FlowPlacement& placement) {
  for (const auto& queue : nic.queues) {
    if (!placement.cpu || std::ranges::find(queue.sending_cpus, *placement.cpu) == queue.sending_cpus.end()) continue;
    placement.queue = queue.index;
    placement.irq = queue.irq;
    placement.irq_cpus = queue.irq_cpus;
  }
}

}  // namespace

std::vector<FlowPlacement> place_flows(const Wall& wall, const Topology& topology, const std::vector<Nic>& nics) {
  std::vector<FlowPlacement> placements;
  FlowCounts flows_on(topology.cores.size());
  for (unsigned flow = 0; flow < wall.flow_count(); ++flow) {
    FlowPlacement placement;
    placement.flow = flow;
    const auto* nic = nic_of_flow(wall, flow, nics);
    if (nic != nullptr) placement.nic_numa_node = nic->numa_node;
    if (const auto& cpus = wall.server.cpus; !cpus.empty())
      place_as_told(cpus[flow % cpus.size()], topology, placement);
    else
      place_on_best_core(topology, flows_on, placement);
    if (nic != nullptr) find_queue(*nic, placement);
    placements.push_back(std::move(placement));
  }
  return placements;
}

}  // namespace lw
