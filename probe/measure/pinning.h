// Which ends of a run's loads are on this host, between which addresses, and the cores of their threads for loads with
// a rule ("pinning"). A host on which both sides run places the threads of both together, so that a sender and its
// receiver do not share a core while others are free.
#pragma once

#include "common/host/nic.h"
#include "common/host/topology.h"
#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lw {

enum class Role : std::uint8_t { client, server };

struct SideAddresses {
  std::string own, peer;  // of the control connection, numeric
  bool one_host = false;  // both sides run on the same host
};

// From the point of view of the side with this role.
EndAddresses end_addresses(const LoadSpec& load, Direction direction, Role role, const SideAddresses& addresses);

// The CPU of each flow's thread, by load, direction (forward or reverse) and whether this end sends; only for loads
// with a rule.
using PinnedEnds = std::map<std::tuple<std::string, Direction, bool>, std::vector<unsigned>>;

// An error if a load needs a core for each flow and the host has fewer. The first form examines this host, and only if
// a load has a rule.
Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses);
Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses, const Topology& topology,
                            const std::vector<Nic>& nics);

}  // namespace lw
