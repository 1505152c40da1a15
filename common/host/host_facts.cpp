#include "common/host/host_facts.h"

#include "common/base/host_name.h"
#include "common/base/put_json.h"
#include "common/messages/message.h"

#include <nlohmann/json.hpp>

namespace lw {
namespace {

using nlohmann::json;

json speed_json(const PcieSpeed& speed) {
  return {{"generation", speed.generation}, {"lanes", speed.lanes}, {"gbit_per_s", speed.data_rate().gbit()}};
}

TopologyFacts facts_of(const Topology& topology) {
  TopologyFacts facts{topology.packages, topology.cpu_model, {}, {}};
  for (const auto& core : topology.cores) facts.cores.push_back({core.package, core.numa_node, core.cpus});
  for (const auto& node : topology.numa_nodes) facts.numa_nodes.push_back({node.index, node.cores, node.memory_bytes});
  return facts;
}

std::optional<std::vector<unsigned>> unless_empty(const std::vector<unsigned>& cpus) {
  return cpus.empty() ? std::nullopt : std::optional(cpus);
}

InterfaceFacts facts_of(const Nic& nic) {
  InterfaceFacts facts{nic.name, nic.addresses, nic.up, {}, nic.mtu, nic.driver, nic.numa_node, nic.qdisc, {}};
  if (nic.link_rate) facts.link_gbit_per_s = nic.link_rate->gbit();
  for (const auto& queue : nic.queues)
    facts.transmit_queues.push_back(
        {queue.index, queue.irq, unless_empty(queue.sending_cpus), unless_empty(queue.irq_cpus)});
  return facts;
}

DiskFacts facts_of(const Disk& disk) {
  return {disk.directory.string(), disk.exists,   disk.filesystem, disk.free_bytes, disk.device, disk.model,
          disk.rotational,         disk.numa_node};
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

MachineMessage message_of(const HostFacts& facts) {
  MachineMessage message{facts.name, facts_of(facts.topology), {}, {}};
  for (const auto& nic : facts.nics) message.interfaces.push_back(facts_of(nic));
  for (const auto& disk : facts.disks) message.disks.push_back(facts_of(disk));
  return message;
}

json host_json(const HostFacts& facts) {
  auto host = to_json(message_of(facts));
  host["limits"] = limits_json(facts.limits);
  if (!facts.topology.distances.empty()) host["topology"]["numa_distances"] = facts.topology.distances;
  for (std::size_t i = 0; i < facts.topology.numa_nodes.size(); ++i)
    put(host["topology"]["numa_nodes"][i], "memory_bytes_per_s", facts.topology.numa_nodes[i].memory_bytes_per_s);
  for (std::size_t i = 0; i < facts.nics.size(); ++i) {
    auto& entry = host["interfaces"][i];
    if (facts.nics[i].pcie) entry["pcie"] = pcie_json(*facts.nics[i].pcie);
    if (facts.nics[i].queues.empty()) entry.erase("transmit_queues");
  }
  for (std::size_t i = 0; i < facts.disks.size(); ++i) {
    auto& entry = host["disks"][i];
    put(entry, "direct_io", facts.disks[i].direct_io);
    put(entry, "read_bytes_per_s", facts.disks[i].read_bytes_per_s);
    if (facts.disks[i].pcie) entry["pcie"] = pcie_json(*facts.disks[i].pcie);
  }
  return host;
}

}  // namespace lw
