// The addresses and ports of a flow, by which devices distribute load over links or queues.
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

// The media flows of a wall in order; only those to `node` unless that is empty. `from` is the sender's address if the
// wall file has no `interfaces`.
Result<std::vector<FlowTuple>> flows_of_wall(const Wall& wall, const std::string& node, const std::string& from);

// Lists such as "10.0.0.1:40000-40014/2,40020" for both sides; if one side has a single port, all flows use that.
Result<std::vector<FlowTuple>> flows_of_lists(const std::string& from, const std::string& to);

// "40000-40014/2,40020": ranges with a step. Empty if the text is not such a list, or has more than 65535 ports.
std::vector<std::uint16_t> parse_port_list(std::string_view text);

}  // namespace lw
