// The networks between the server and the nodes: how their links usually are, and what faults do to them. A node with
// two addresses has a link in each of two networks (ST 2022-7).
#pragma once

#include "common/wall/wall_file.h"
#include "tests/simulate/network.h"
#include "tests/simulate/schedule.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lw::simulate {

class Paths {
public:
  // Places the nodes in the network and draws their links. All must outlive this object.
  Paths(Network& network, const Wall& wall, Random& random);

  // A node's link in the first network, which also has its control connection.
  [[nodiscard]] const LinkState& first(std::size_t node) const { return network_.links[node]; }
  void begin(const Happening& one, Random& chance);
  void end(const Happening& one);
  // Ends all faults.
  void heal() { network_.links = usual_; }
  // On all links: this delay; this share of packets is lost.
  void set_delay(Nanoseconds delay);
  void set_loss(double loss);

  [[nodiscard]] bool has_two(std::size_t node) const { return !wall_.nodes[node].second_address.empty(); }
  // Of each node that has two paths, one becomes bad or is cut, or one of the networks is. What happens, as text; empty
  // if no node has two.
  std::string harm_one_path();

private:
  [[nodiscard]] std::size_t second(std::size_t node) const { return wall_.nodes.size() + node; }
  // Those that a happening is about.
  [[nodiscard]] std::vector<std::size_t> of(const Happening& one) const;
  [[nodiscard]] std::vector<std::size_t> all_of_one_network(std::uint64_t chance) const;

  Network& network_;
  const Wall& wall_;
  Random& random_;
  std::vector<LinkState> usual_;
};

}  // namespace lw::simulate
