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
  // Hash modulo the table's size -> member. For a bond, its members in order; for a card, its indirection table.
  std::vector<unsigned> table;
  unsigned members = 0;
  std::vector<std::string> names = {};  // interfaces of the members, if known
  bool uses_ports = true;
  bool receives = false;  // the members belong to the receiving host

  [[nodiscard]] unsigned member(const FlowTuple& flow) const { return table[hash(flow) % table.size()]; }
};

}  // namespace lw
