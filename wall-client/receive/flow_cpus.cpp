#include "wall-client/receive/flow_cpus.h"

#include <algorithm>

namespace lw {

std::vector<int> flow_cpus(const Topology& topology, std::optional<unsigned> near, std::size_t flows) {
  std::vector<Core> cores;
  std::ranges::copy_if(topology.cores, std::back_inserter(cores),
                       [&](const Core& core) { return near && core.numa_node == near; });
  if (cores.size() < std::max<std::size_t>(flows, 1)) cores = topology.cores;
  std::vector<int> cpus;
  for (std::size_t thread = 0; cpus.size() < flows; ++thread) {
    const auto before = cpus.size();
    for (auto core = cores.rbegin(); core != cores.rend(); ++core)
      if (thread < core->cpus.size()) cpus.push_back(static_cast<int>(core->cpus[thread]));
    if (cpus.size() == before) break;
  }
  return cpus;
}

}  // namespace lw
