// A simulated node's connection to the control plane: messages arrive complete and in order, some time later, as
// with TCP. It breaks when its path is cut or a process ends, and is re-established when both are back. Messages to a
// frozen host wait for it.
#pragma once

#include "tests/simulate/network.h"
#include "tests/simulate/node.h"
#include "tests/simulate/server.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace lw::simulate {

class ControlLink {
public:
  // All must outlive this, except the processes.
  ControlLink(Timeline& timeline, const LinkState& path, Server& server, Node& node);
  ~ControlLink();

  // Call several times a second: connects, notices a broken connection, and continues with hosts that were frozen.
  void look();
  [[nodiscard]] bool is_connected() const { return peer_ != nullptr; }

private:
  class Peer;
  struct Direction {
    std::deque<std::string> messages;  // on their way
    std::size_t arrived = 0;           // of those
  };
  void connect();
  void disconnect();
  [[nodiscard]] bool is_broken() const;
  void say(Direction& direction, std::string message);
  void deliver();

  Timeline& timeline_;
  const LinkState& path_;
  Server& server_;
  Node& node_;
  std::unique_ptr<Peer> peer_;
  std::uint64_t connection_ = 0;
  std::uint64_t server_process_ = 0;
  std::uint64_t node_process_ = 0;
  bool closed_ = false;  // by the server
  Direction to_server_;
  Direction to_node_;
};

}  // namespace lw::simulate
