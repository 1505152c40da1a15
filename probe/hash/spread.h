// How evenly flows fall on members, what chance alone would make of it, and ports with which they fall evenly.
#pragma once

#include "probe/hash/hash_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// Flows that share one set of members: those that leave by one address, or arrive at one.
struct Spread {
  std::string host;
  std::vector<unsigned> flows_on;  // each member
  unsigned flows = 0;

  [[nodiscard]] unsigned busiest() const;
  // What the busiest has at least, however well they fall.
  [[nodiscard]] unsigned even() const;
  [[nodiscard]] bool is_even() const { return busiest() <= even(); }
};
std::vector<Spread> spread_of(const HashRule& rule, const std::vector<FlowTuple>& flows);

// Flows thrown on members at random: what to expect of a hash that cannot be known.
struct RandomSpread {
  double busiest_mean = 0;
  double even_chance = 0;
};
RandomSpread random_spread(unsigned flows, unsigned members);

// By how much to move ports as a wall file has them (base_port, source_port), so that flows spread more evenly; of
// equally good ones the nearest. Nothing where the present ones are as good as any that were tried.
struct PortMove {
  int base_by = 0;
  int source_by = 0;
  unsigned above_even = 0;  // flows on the busiest members beyond their share
};
std::optional<PortMove> find_wall_ports(const HashRule& rule, const std::vector<FlowTuple>& flows);

// A source port for each flow, counted up from the first flow's, so that members take flows in turn; empty where ports
// do not matter.
std::vector<std::uint16_t> find_source_ports(const HashRule& rule, const std::vector<FlowTuple>& flows);

}  // namespace lw
