// The hardware of the hosts of a wall: `node.machine`, from a node to its server, and `machines`, from the server to
// operators. A fact that is unknown or invalid is absent. common/host collects the facts.
#pragma once

#include "common/messages/host_role.h"
#include "common/messages/rules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

inline constexpr std::size_t machine_list_max = 1024;  // in any list: cores, cards, queues
inline constexpr Text machine_text_max{256};

struct CoreFacts {
  std::optional<unsigned> package, numa_node;
  std::optional<std::vector<unsigned>> cpus;  // the kernel's numbers

  static constexpr bool closed = false;
  static void members(auto& core, auto& visit) {
    visit("package", core.package, Tolerated{});
    visit("numa_node", core.numa_node, Tolerated{});
    visit("cpus", core.cpus, Tolerated{}, AtMost{machine_list_max});
  }
  bool operator==(const CoreFacts&) const = default;
};

struct NumaNodeFacts {
  std::optional<unsigned> numa_node, cores;
  std::optional<std::uint64_t> memory_bytes;

  static constexpr bool closed = false;
  static void members(auto& node, auto& visit) {
    visit("numa_node", node.numa_node, Tolerated{});
    visit("cores", node.cores, Tolerated{});
    visit("memory_bytes", node.memory_bytes, Tolerated{});
  }
  bool operator==(const NumaNodeFacts&) const = default;
};

struct TopologyFacts {
  std::optional<unsigned> packages;
  std::optional<std::string> cpu_model;
  std::vector<CoreFacts> cores;
  std::vector<NumaNodeFacts> numa_nodes;

  static constexpr bool closed = false;
  static void members(auto& topology, auto& visit) {
    visit("packages", topology.packages, Tolerated{});
    visit("cpu_model", topology.cpu_model, Tolerated{}, machine_text_max);
    visit("cores", topology.cores, Tolerated{}, AtMost{machine_list_max});
    visit("numa_nodes", topology.numa_nodes, Tolerated{}, AtMost{machine_list_max});
  }
  bool operator==(const TopologyFacts&) const = default;
};

// A transmit queue of a network card.
struct QueueFacts {
  std::optional<unsigned> queue, irq;
  std::optional<std::vector<unsigned>> sending_cpus;  // that send through this queue
  std::optional<std::vector<unsigned>> irq_cpus;      // that serve its interrupt

  static constexpr bool closed = false;
  static void members(auto& queue, auto& visit) {
    visit("queue", queue.queue, Tolerated{});
    visit("irq", queue.irq, Tolerated{});
    visit("sending_cpus", queue.sending_cpus, Tolerated{}, AtMost{machine_list_max});
    visit("irq_cpus", queue.irq_cpus, Tolerated{}, AtMost{machine_list_max});
  }
  bool operator==(const QueueFacts&) const = default;
};

// A network card.
struct InterfaceFacts {
  std::optional<std::string> name;
  std::optional<std::vector<std::string>> addresses;  // numeric
  std::optional<bool> up;
  std::optional<double> link_gbit_per_s;
  std::optional<unsigned> mtu;
  std::optional<std::string> driver;
  std::optional<unsigned> numa_node;
  std::optional<std::string> qdisc;
  std::vector<QueueFacts> transmit_queues;

  static constexpr bool closed = false;
  static void members(auto& card, auto& visit) {
    visit("name", card.name, Tolerated{}, machine_text_max);
    visit("addresses", card.addresses, Tolerated{}, AtMost{machine_list_max}, machine_text_max);
    visit("up", card.up, Tolerated{});
    visit("link_gbit_per_s", card.link_gbit_per_s, Tolerated{});
    visit("mtu", card.mtu, Tolerated{});
    visit("driver", card.driver, Tolerated{}, machine_text_max);
    visit("numa_node", card.numa_node, Tolerated{});
    visit("qdisc", card.qdisc, Tolerated{}, machine_text_max);
    visit("transmit_queues", card.transmit_queues, Tolerated{}, AtMost{machine_list_max});
  }
  bool operator==(const InterfaceFacts&) const = default;
};

// The disk below a content directory.
struct DiskFacts {
  std::optional<std::string> directory;
  std::optional<bool> exists;
  std::optional<std::string> filesystem;
  std::optional<std::uint64_t> free_bytes;
  std::optional<std::string> device, model;
  std::optional<bool> rotational;
  std::optional<unsigned> numa_node;

  static constexpr bool closed = false;
  static void members(auto& disk, auto& visit) {
    visit("directory", disk.directory, Tolerated{}, Text{path_bytes_max});
    visit("exists", disk.exists, Tolerated{});
    visit("filesystem", disk.filesystem, Tolerated{}, machine_text_max);
    visit("free_bytes", disk.free_bytes, Tolerated{});
    visit("device", disk.device, Tolerated{}, machine_text_max);
    visit("model", disk.model, Tolerated{}, machine_text_max);
    visit("rotational", disk.rotational, Tolerated{});
    visit("numa_node", disk.numa_node, Tolerated{});
  }
  bool operator==(const DiskFacts&) const = default;

private:
  static constexpr std::size_t path_bytes_max = 4096;
};

struct MachineMessage {
  std::optional<std::string> name;
  TopologyFacts topology;
  std::vector<InterfaceFacts> interfaces;
  std::vector<DiskFacts> disks;

  static constexpr bool closed = false;
  static void members(auto& machine, auto& visit) {
    visit("name", machine.name, Tolerated{}, machine_text_max);
    visit("topology", machine.topology);
    visit("interfaces", machine.interfaces, Tolerated{}, AtMost{machine_list_max});
    visit("disks", machine.disks, Tolerated{}, AtMost{machine_list_max});
  }
  bool operator==(const MachineMessage&) const = default;
};

// A host of the wall in `machines`.
struct MachineEntry {
  HostRole role = HostRole::server;
  std::string name;
  std::optional<MachineMessage> machine;  // absent until the node has sent it

  static constexpr bool closed = false;
  static void members(auto& entry, auto& visit) {
    visit("role", entry.role, host_role_names);
    visit("name", entry.name);
    visit("machine", entry.machine, Tolerated{});  // an invalid one does not hide other hosts
  }
  bool operator==(const MachineEntry&) const = default;
};

// The addresses between which a flow is sent.
struct FlowPathMessage {
  unsigned flow = 0;
  std::optional<std::string> leaves_by;  // absent if the wall file has no `interfaces`
  std::string arrives_at;

  static constexpr bool closed = false;
  static void members(auto& path, auto& visit) {
    visit("flow", path.flow);
    visit("leaves_by", path.leaves_by, Tolerated{});
    visit("arrives_at", path.arrives_at, Tolerated{});
  }
  bool operator==(const FlowPathMessage&) const = default;
};

// A page of the hosts; the first page has the server and the flows.
struct MachinesReply {
  std::vector<MachineEntry> machines;
  std::vector<FlowPathMessage> flows;
  std::optional<bool> more;  // pass the last name as `after` to get the following ones

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("machines", reply.machines, MayBeAbsent{});
    visit("flows", reply.flows, MayBeAbsent{});
    visit("more", reply.more);
  }
  bool operator==(const MachinesReply&) const = default;
};

}  // namespace lw
