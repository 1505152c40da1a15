#include "common/plan/reader_placement.h"

#include <algorithm>
#include <map>
#include <set>

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

}  // namespace

std::optional<unsigned> place_reader(const Topology& topology, const std::vector<FlowPlacement>& flows,
                                     const std::vector<Disk>& disks) {
  const auto near = node_of_most(disks);
  if (!near) return {};
  const auto has_flow = [&](const Core& core) {
    return std::ranges::any_of(
        flows, [&](const FlowPlacement& flow) { return flow.cpu && std::ranges::count(core.cpus, *flow.cpu) > 0; });
  };
  std::optional<unsigned> elsewhere;
  for (const auto& core : topology.cores) {
    if (core.cpus.empty() || has_flow(core)) continue;
    if (core.numa_node == near) return core.cpus.front();
    if (!elsewhere) elsewhere = core.cpus.front();
  }
  return elsewhere;
}

}  // namespace lw
