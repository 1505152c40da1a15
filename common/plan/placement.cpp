#include "common/plan/placement.h"

#include "common/wall/geometry.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lw {
namespace {

const Nic* nic_of_flow(const WallServer& server, unsigned flow, const std::vector<Nic>& nics) {
  const auto& interfaces = server.interfaces;
  return interfaces.empty() ? nullptr : nic_of_address(nics, interfaces[flow % interfaces.size()]);
}

void place_as_told(unsigned cpu, const Topology& topology, FlowPlacement& placement) {
  placement.cpu = cpu;
  for (const auto& core : topology.cores)
    if (std::ranges::find(core.cpus, cpu) != core.cpus.end()) placement.numa_node = core.numa_node;
}

void place_on_best_core(CoreChoice& cores, FlowPlacement& placement) {
  const auto core = cores.next(placement.nic_numa_node);
  if (!core) return;
  placement.cpu = core->cpu;
  placement.numa_node = core->numa_node;
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

std::optional<CoreChoice::Core> CoreChoice::next(std::optional<unsigned> near) {
  std::optional<std::size_t> best;
  const auto cost = [&](std::size_t core) {
    const bool far = near && topology_.cores[core].numa_node != near;
    return std::tuple(threads_on_[core], far, core);
  };
  for (std::size_t core = 0; core < topology_.cores.size(); ++core)
    if (!topology_.cores[core].cpus.empty() && (!best || cost(core) < cost(*best))) best = core;
  if (!best) return {};
  const auto& core = topology_.cores[*best];
  const auto threads = threads_on_[*best]++;
  return Core{core.cpus[threads % core.cpus.size()], core.numa_node, threads > 0};
}

std::vector<FlowPlacement> place_flows(const Wall& wall, const WallServer& server, const Topology& topology,
                                       const std::vector<Nic>& nics) {
  std::vector<FlowPlacement> placements;
  CoreChoice cores(topology);
  for (const auto& band : bands_of(wall, server)) {
    FlowPlacement placement;
    placement.flow = band.flow;
    const auto* nic = nic_of_flow(server, band.flow, nics);
    if (nic != nullptr) placement.nic_numa_node = nic->numa_node;
    if (const auto& cpus = server.cpus; !cpus.empty())
      place_as_told(cpus[placements.size() % cpus.size()], topology, placement);
    else
      place_on_best_core(cores, placement);
    if (nic != nullptr) find_queue(*nic, placement);
    placements.push_back(std::move(placement));
  }
  return placements;
}

unsigned threads_of(const std::vector<FlowPlacement>& placement) {
  std::set<unsigned> cpus;
  unsigned unknown = 0;
  for (const auto& flow : placement) {
    if (flow.cpu)
      cpus.insert(*flow.cpu);
    else
      ++unknown;
  }
  return static_cast<unsigned>(cpus.size()) + unknown;
}

}  // namespace lw
