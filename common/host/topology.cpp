#include "common/host/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <memory>

namespace lw {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, DestroyTopology>;

std::vector<unsigned> cpus_in(hwloc_const_cpuset_t set) {
  std::vector<unsigned> cpus;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu))
    cpus.push_back(static_cast<unsigned>(cpu));
  return cpus;
}

Core read_core(hwloc_topology_t topology, hwloc_obj_t object) {
  Core core;
  core.cpus = cpus_in(object->cpuset);
  if (const auto* package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object))
    core.package = package->logical_index;
  if (const int node = object->nodeset ? hwloc_bitmap_first(object->nodeset) : -1; node >= 0)
    core.numa_node = static_cast<unsigned>(node);
  return core;
}

NumaNode read_node(hwloc_topology_t topology, hwloc_obj_t object) {
  NumaNode node;
  node.index = object->os_index;
  if (object->attr->numanode.local_memory > 0) node.memory_bytes = object->attr->numanode.local_memory;
  node.cores = static_cast<unsigned>(hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_CORE));
  return node;
}

std::vector<std::vector<std::uint64_t>> read_distances(hwloc_topology_t topology, std::size_t nodes) {
  unsigned count = 1;
  hwloc_distances_s* found = nullptr;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &found, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                  0) != 0 ||
      count == 0)
    return {};
  std::vector<std::vector<std::uint64_t>> distances;
  if (found->nbobjs == nodes)
    for (std::size_t i = 0; i < nodes; ++i)
      distances.emplace_back(found->values + i * nodes, found->values + (i + 1) * nodes);
  hwloc_distances_release(topology, found);
  return distances;
}

}  // namespace

Result<Topology> read_topology(const std::string& synthetic) {
  const Error unreadable{"hwloc cannot read the host's topology", "check that /sys is mounted"};
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return unreadable;
  const TopologyHandle handle(raw);
  if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0)
    return Error{"'" + synthetic + "' is not an hwloc topology", "see lstopo --input"};
  if (synthetic.empty())
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING);
  if (hwloc_topology_load(raw) != 0) return unreadable;

  Topology topology;
  topology.packages = static_cast<unsigned>(std::max(0, hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_PACKAGE)));
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(raw, HWLOC_OBJ_CORE, core)) != nullptr;)
    topology.cores.push_back(read_core(raw, core));
  for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(raw, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
    topology.numa_nodes.push_back(read_node(raw, node));
  topology.distances = read_distances(raw, topology.numa_nodes.size());
  if (auto* package = hwloc_get_obj_by_type(raw, HWLOC_OBJ_PACKAGE, 0))
    if (const char* model = hwloc_obj_get_info_by_name(package, "CPUModel")) topology.cpu_model = model;
  return topology;
}

}  // namespace lw
