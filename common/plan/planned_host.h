// The facts of a host as the plan of one server uses them. A facts file (common/host/facts_file.h) describes the host
// itself, possibly before it has addresses and visualizations. Pure.
#pragma once

#include "common/host/host_facts.h"
#include "common/wall/wall_file.h"

#include <filesystem>
#include <vector>

namespace lw {

// Cards of which none has an address are those of a host that is not installed yet: they get the server's `interfaces`,
// in their order, one each. Other facts stay as they are.
HostFacts as_host_of(const WallServer& server, HostFacts facts);

// The disk below each directory, in their order: the known one with the longest path that contains the directory. A
// directory on an unknown disk is skipped.
std::vector<Disk> disks_below(const std::vector<Disk>& known, const std::vector<std::filesystem::path>& directories);

}  // namespace lw
