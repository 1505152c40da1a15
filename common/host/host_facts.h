// Everything a plan wants to know about this host, as a message for operators and as JSON.
#pragma once

#include "common/host/disk.h"
#include "common/host/limits.h"
#include "common/host/nic.h"
#include "common/host/topology.h"
#include "common/messages/machine.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace lw {

struct HostFacts {
  std::string name;
  Topology topology;  // empty where it cannot be read
  std::vector<Nic> nics;
  std::vector<Disk> disks;  // of the directories asked for, in their order
  Limits limits;
};

HostFacts read_host_facts(const std::vector<std::filesystem::path>& directories);

MachineMessage message_of(const HostFacts& facts);
// The message, and what only plans and results of measurements need: limits, PCI Express links, O_DIRECT, distances.
// Units are part of the names; what is unknown is absent.
nlohmann::json host_json(const HostFacts& facts);
nlohmann::json pcie_json(const PcieLink& link);

}  // namespace lw
