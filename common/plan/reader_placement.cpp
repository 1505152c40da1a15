#include "common/plan/reader_placement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lw {
namespace {

// A disk counts once, however many directories are on it.
std::optional<unsigned> node_of_most(const std::vector<Disk>& disks) {
  std::set<std::string> counted;
  std::map<unsigned, unsigned> disks_on;
  for (const auto& disk : disks)
    if (disk.numa_node && (!disk.device || counted.insert(*disk.device).second)) ++disks_on[*disk.numa_node];
  const auto most = std::ranges::max_element(disks_on, {}, &std::pair<const unsigned, unsigned>::second);
  return most == disks_on.end() ? std::nullopt : std::optional(most->first);
}

bool has_flow(const Core& core, const std::vector<FlowPlacement>& flows) {
  return std::ranges::any_of(
      flows, [&](const FlowPlacement& flow) { return flow.cpu && std::ranges::count(core.cpus, *flow.cpu) > 0; });
}

}  // namespace

std::optional<unsigned> place_reader(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                     const std::vector<Disk>& disks) {
  const auto near = node_of_most(disks);
  if (!near) return {};
  std::optional<unsigned> elsewhere;
  for (const auto& core : topology.cores) {
    if (core.cpus.empty() || has_flow(core, flows)) continue;
    if (core.numa_node == near) return core.cpus.front();
    if (!elsewhere) elsewhere = core.cpus.front();
  }
  return elsewhere;
}

std::vector<ReaderPlace> place_readers(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                       unsigned flows_per_tile) {
  std::map<unsigned, std::vector<std::size_t>> tiles_on;
  for (std::size_t i = 0; i < flows.size(); i += flows_per_tile) {
    const auto node = flows[i].numa_node;
    if (!node) return {};
    tiles_on[*node].push_back(i / flows_per_tile);
  }
  if (tiles_on.size() < 2) return {};
  std::vector<ReaderPlace> places;
  for (auto& on_node : tiles_on) {
    const auto core = std::ranges::find_if(topology.cores, [&](const Core& one) {
      return one.numa_node == on_node.first && !one.cpus.empty() && !has_flow(one, flows);
    });
    if (core == topology.cores.end()) return {};
    places.push_back({on_node.first, core->cpus.front(), std::move(on_node.second)});
  }
  return places;
}

}  // namespace lw
