// Laws about the nodes' clocks and the times at which frames are shown:
//
//   With [clock] source = "wall", a node's clock differs from the server's by no more than the bound that the node
//   reports, whatever the network does. While nothing is wrong, a tile swaps a frame no earlier than its presentation
//   time and no later than one refresh interval of its screen after it (docs/metrics.md), by the node's clock; and the
//   tiles' screens show a frame within one refresh interval and what the nodes' clocks differ.
//
// Presenters may need some milliseconds in addition, for other tiles and to wake up.
#pragma once

#include "tests/simulate/node.h"
#include "tests/simulate/server.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lw::simulate {

class TimeLaws {
public:
  using Break = std::function<void(const std::string& law)>;
  using Nodes = std::vector<std::unique_ptr<Node>>;

  TimeLaws(Nanoseconds refresh, Break on_break) : refresh_(refresh), on_break_(std::move(on_break)) {}

  // Call several times a second. After a restart of the server, the nodes' clocks are judged again only once
  // know_server() was called: until then they cannot know that its clock is another one. `now`: true time.
  void check_clocks(const Server& server, const Nodes& nodes, WallTime now);
  void know_server(const Server& server) { server_process_ = server.process(); }
  // Frames are judged that are shown between the two.
  void begin(const Nodes& nodes) const;
  void judge(const Nodes& nodes, const std::string& circumstances) const;

private:
  void check_lateness(Node& node, const std::string& circumstances) const;
  void check_skew(const Nodes& nodes, const std::string& circumstances) const;
  [[nodiscard]] Nanoseconds most(const Node& node) const;

  const Nanoseconds refresh_;
  const Break on_break_;
  std::uint64_t server_process_ = 0;
  std::map<const Node*, WallTime> settled_;  // from when a node's clock is judged again
};

}  // namespace lw::simulate
