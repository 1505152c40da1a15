// Cores, packages and NUMA nodes that this process may use (hwloc; honours cgroups and taskset).
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct Core {
  unsigned package = 0;
  std::optional<unsigned> numa_node;
  std::vector<unsigned> cpus;  // the kernel's numbers; several with simultaneous multithreading
};

struct NumaNode {
  unsigned index = 0;  // the kernel's number
  std::optional<std::uint64_t> memory_bytes;
  std::optional<double> memory_bytes_per_s;  // that its cores can read; only from a facts file or a measurement
  unsigned cores = 0;
};

struct Topology {
  std::optional<std::string> cpu_model;
  unsigned packages = 0;
  std::vector<Core> cores;
  std::vector<NumaNode> numa_nodes;
  // distances[i][j]: from numa_nodes[i] to numa_nodes[j], 10 = local (ACPI SLIT); empty if unknown.
  std::vector<std::vector<std::uint64_t>> distances;
};

// `synthetic`: an hwloc synthetic description ("pack:2 [numa] core:4 pu:1") instead of this host, for tests.
Result<Topology> read_topology(const std::string& synthetic = "");

}  // namespace lw
