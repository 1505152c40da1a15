// Which ends of a run's loads this host has, between which addresses, and which cores their threads run on where a load
// says so by a rule ("pinning"). Every thread of such a load has a place: a host that both sides run on places those of
// both, so that a sender and its receiver do not meet on one core while there are others.
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
  std::string own, peer;  // numeric: of the control connection
  bool one_host = false;  // both sides run on it
};

// As seen from the side with this role.
EndAddresses end_addresses(const LoadSpec& load, Direction direction, Role role, const SideAddresses& addresses);

// The CPU of each flow's thread, by load, direction (forward or reverse) and whether this end sends; only of loads with
// a rule.
using PinnedEnds = std::map<std::tuple<std::string, Direction, bool>, std::vector<unsigned>>;

// An error where a load wants a core for each flow and the host has fewer. The first form looks at this host, and only
// if a load has a rule.
Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses);
Result<PinnedEnds> pin_ends(const RunSpec& run, Role role, const SideAddresses& addresses, const Topology& topology,
                            const std::vector<Nic>& nics);

}  // namespace lw
