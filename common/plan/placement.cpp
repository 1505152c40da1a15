#include "common/plan/placement.h"

#include <algorithm>
#include <tuple>

namespace lw {
namespace {

std::optional<unsigned> numa_node_of_flow(const Wall& wall, unsigned flow, const std::vector<Nic>& nics) {
  const auto& interfaces = wall.server.interfaces;
  if (interfaces.empty()) return {};
  const auto* nic = nic_of_address(nics, interfaces[flow % interfaces.size()]);
  return nic ? nic->numa_node : std::nullopt;
}

}  // namespace

std::vector<FlowPlacement> place_flows(const Wall& wall, const Topology& topology, const std::vector<Nic>& nics) {
  std::vector<FlowPlacement> placements;
  std::vector<unsigned> flows_on(topology.cores.size());
  for (unsigned flow = 0; flow < wall.flow_count(); ++flow) {
    FlowPlacement placement;
    placement.flow = flow;
    placement.nic_numa_node = numa_node_of_flow(wall, flow, nics);
    std::optional<std::size_t> best;
    const auto cost = [&](std::size_t core) {
      const bool far = placement.nic_numa_node && topology.cores[core].numa_node != placement.nic_numa_node;
      return std::tuple(flows_on[core], far, core);
    };
    for (std::size_t core = 0; core < topology.cores.size(); ++core)
      if (!topology.cores[core].cpus.empty() && (!best || cost(core) < cost(*best))) best = core;
    if (best) {
      const auto& core = topology.cores[*best];
      placement.cpu = core.cpus[flows_on[*best] % core.cpus.size()];
      placement.numa_node = core.numa_node;
      ++flows_on[*best];
    }
    placements.push_back(placement);
  }
  return placements;
}

}  // namespace lw
