// How evenly flows are spread over members, compared to chance, and ports with which the spread is even.
#pragma once

#include "probe/hash/hash_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// Flows that share one set of members: those that leave from one address, or arrive at one.
struct Spread {
  std::string host;
  std::vector<unsigned> flows_on;  // flows on each member
  unsigned flows = 0;

  [[nodiscard]] unsigned busiest() const;
  // The least possible number of flows on the busiest member.
  [[nodiscard]] unsigned even() const;
  [[nodiscard]] bool is_even() const { return busiest() <= even(); }
};
std::vector<Spread> spread_of(const HashRule& rule, const std::vector<FlowTuple>& flows);

// Flows assigned to members at random: the expectation for an unknown hash.
struct RandomSpread {
  double busiest_mean = 0;
  double even_chance = 0;
};
RandomSpread random_spread(unsigned flows, unsigned members);

// How far to move ports in a wall file (base_port, source_port) so that flows spread more evenly; of equally good
// moves, the smallest. Empty if no move that was tried is better than none.
struct PortMove {
  int base_by = 0;
  int source_by = 0;
  unsigned above_even = 0;  // flows on the busiest members beyond their share
};
std::optional<PortMove> find_wall_ports(const HashRule& rule, const std::vector<FlowTuple>& flows);

// A source port for each flow, ascending from the first flow's, so that members get flows in turn; empty if ports do
// not matter.
std::vector<std::uint16_t> find_source_ports(const HashRule& rule, const std::vector<FlowTuple>& flows);

}  // namespace lw
