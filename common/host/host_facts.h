// The facts about this host that a plan needs, as a message for operators and as JSON.
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
  Topology topology;  // empty if it cannot be read
  std::vector<Nic> nics;
  std::vector<Disk> disks;  // of the requested directories, in their order
  Limits limits;
};

HostFacts read_host_facts(const std::vector<std::filesystem::path>& directories);

MachineMessage message_of(const HostFacts& facts);
// The message, and facts that only plans and results of measurements need: limits, PCI Express links, O_DIRECT,
// distances, rates of memory and disks. facts_file.h reads it again. Units are part of the names; unknown facts are
// absent.
nlohmann::json host_json(const HostFacts& facts);
nlohmann::json pcie_json(const PcieLink& link);

}  // namespace lw
