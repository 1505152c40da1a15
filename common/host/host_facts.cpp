#include "common/host/host_facts.h"

#include "common/base/host_name.h"
#include "common/base/put_json.h"

#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

json speed_json(const PcieSpeed& speed) {
  return {{"generation", speed.generation}, {"lanes", speed.lanes}, {"gbit_per_s", speed.data_rate().gbit()}};
}

json topology_json(const Topology& topology) {
  json cores = json::array(), nodes = json::array();
  for (const auto& core : topology.cores) {
    json entry{{"package", core.package}, {"cpus", core.cpus}};
    put(entry, "numa_node", core.numa_node);
    cores.push_back(std::move(entry));
  }
  for (const auto& node : topology.numa_nodes) {
    json entry{{"numa_node", node.index}, {"cores", node.cores}};
    put(entry, "memory_bytes", node.memory_bytes);
    nodes.push_back(std::move(entry));
  }
  json result{{"packages", topology.packages}, {"cores", std::move(cores)}, {"numa_nodes", std::move(nodes)}};
  put(result, "cpu_model", topology.cpu_model);
  if (!topology.distances.empty()) result["numa_distances"] = topology.distances;
  return result;
}

json nic_json(const Nic& nic) {
  json entry{{"name", nic.name}, {"addresses", nic.addresses}, {"up", nic.up}};
  if (nic.link_rate) entry["link_gbit_per_s"] = nic.link_rate->gbit();
  put(entry, "mtu", nic.mtu);
  put(entry, "driver", nic.driver);
  put(entry, "numa_node", nic.numa_node);
  put(entry, "qdisc", nic.qdisc);
  if (nic.pcie) entry["pcie"] = pcie_json(*nic.pcie);
  for (const auto& queue : nic.queues) {
    json item{{"queue", queue.index}};
    put(item, "irq", queue.irq);
    if (!queue.sending_cpus.empty()) item["sending_cpus"] = queue.sending_cpus;
    if (!queue.irq_cpus.empty()) item["irq_cpus"] = queue.irq_cpus;
    entry["transmit_queues"].push_back(std::move(item));
  }
  return entry;
}

json disk_json(const Disk& disk) {
  json entry{{"directory", disk.directory.string()}, {"exists", disk.exists}};
  put(entry, "filesystem", disk.filesystem);
  put(entry, "free_bytes", disk.free_bytes);
  put(entry, "direct_io", disk.direct_io);
  put(entry, "device", disk.device);
  put(entry, "model", disk.model);
  put(entry, "rotational", disk.rotational);
  put(entry, "numa_node", disk.numa_node);
  if (disk.pcie) entry["pcie"] = pcie_json(*disk.pcie);
  return entry;
}

json limits_json(const Limits& limits) {
  json result = json::object();
  put(result, "kernel", limits.kernel);
  put(result, "rmem_max_bytes", limits.rmem_max);
  put(result, "wmem_max_bytes", limits.wmem_max);
  put(result, "optmem_max_bytes", limits.optmem_max);
  put(result, "netdev_max_backlog", limits.netdev_max_backlog);
  put(result, "memlock_bytes", limits.memlock_bytes);
  result["memlock_unlimited"] = limits.memlock_unlimited;
  put(result, "open_files", limits.open_files);
  put(result, "realtime_priority_max", limits.realtime_priority_max);
  put(result, "realtime_us_per_second", limits.realtime_us_per_second);
  put(result, "swap_bytes", limits.swap_bytes);
  put(result, "memory_bytes", limits.memory_bytes);
  put(result, "memory_available_bytes", limits.memory_available_bytes);
  put(result, "huge_pages", limits.huge_pages);
  put(result, "huge_page_bytes", limits.huge_page_bytes);
  put(result, "transparent_huge_pages", limits.transparent_huge_pages);
  put(result, "io_uring", limits.io_uring);
  return result;
}

}  // namespace

HostFacts read_host_facts(const std::vector<std::filesystem::path>& directories) {
  HostFacts facts;
  facts.name = host_name();
  if (auto topology = read_topology()) facts.topology = std::move(*topology);
  facts.nics = read_nics();
  for (const auto& directory : directories) facts.disks.push_back(read_disk(directory));
  facts.limits = read_limits();
  return facts;
}

json pcie_json(const PcieLink& link) {
  return {{"current", speed_json(link.current)}, {"best", speed_json(link.best)}, {"below_best", link.below_best()}};
}

json host_json(const HostFacts& facts) {
  json nics = json::array(), disks = json::array();
  for (const auto& nic : facts.nics) nics.push_back(nic_json(nic));
  for (const auto& disk : facts.disks) disks.push_back(disk_json(disk));
  return {{"name", facts.name},
          {"topology", topology_json(facts.topology)},
          {"interfaces", std::move(nics)},
          {"disks", std::move(disks)},
          {"limits", limits_json(facts.limits)}};
}

}  // namespace lw
