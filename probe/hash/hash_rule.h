// How a device chooses a member link or a queue for a flow.
#pragma once

#include "probe/hash/flow_tuple.h"

#include <functional>
#include <string>
#include <vector>

namespace lw {

struct HashRule {
  std::string name;
  std::function<std::uint32_t(const FlowTuple&)> hash;
  // Hash modulo its size -> member. A bond has its members in their order, a card its indirection table.
  std::vector<unsigned> table;
  unsigned members = 0;
  std::vector<std::string> names = {};  // of the members' interfaces, where known
  bool uses_ports = true;
  bool receives = false;  // members are of the receiving host

  [[nodiscard]] unsigned member(const FlowTuple& flow) const { return table[hash(flow) % table.size()]; }
};

}  // namespace lw
