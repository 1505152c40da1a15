// What devices that share load between links or queues look at of a flow: its addresses and ports.
#pragma once

#include "common/net/address.h"
#include "common/wall/wall_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace lw {

struct FlowTuple {
  Address from;  // with ports
  Address to;
};

// The media flows of a wall in their order, those to one node only if it is named. `from` is the sender's address where
// the wall file has no `interfaces`.
Result<std::vector<FlowTuple>> flows_of_wall(const Wall& wall, const std::string& node, const std::string& from);

// "10.0.0.1:40000-40014/2,40020" and the like on both sides; of a side with one port, all flows have that.
Result<std::vector<FlowTuple>> flows_of_lists(const std::string& from, const std::string& to);

// "40000-40014/2,40020": ranges with a step. Empty if it is not such a list, or has more than 65535 ports.
std::vector<std::uint16_t> parse_port_list(std::string_view text);

}  // namespace lw
