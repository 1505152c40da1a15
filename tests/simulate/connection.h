// A simulated connection to the control plane of a server, of a node or of another server: messages arrive complete and
// in order, some time later, as with TCP. It breaks when its path is cut or a process ends, and is re-established when
// both are back. Messages to a frozen host wait for it.
#pragma once

#include "tests/simulate/network.h"
#include "tests/simulate/node.h"
#include "tests/simulate/server.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace lw::simulate {

// The end that connects.
struct Client {
  Visitor visitor;
  const Host* host = nullptr;
  std::function<bool()> runs;  // and wants to be connected
  std::function<std::uint64_t()> process;
  std::function<void(std::function<void(std::string)> send)> opened;
  std::function<void()> closed;  // also after an attempt that failed
  std::function<void(const std::string&)> hear;
};
Client client_of(Node& node);
// `to`: the name of the server that it connects to.
Client client_of(Server& from, const std::string& to);

class Connection {
public:
  // All must outlive this, except the processes. `paths`: that must not be cut.
  Connection(Timeline& timeline, std::vector<const LinkState*> paths, Server& server, Client client);
  ~Connection();

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
  [[nodiscard]] bool is_cut() const;
  [[nodiscard]] bool is_broken() const;
  void say(Direction& direction, std::string message);
  void deliver();

  Timeline& timeline_;
  const std::vector<const LinkState*> paths_;
  Server& server_;
  const Client client_;
  std::unique_ptr<Peer> peer_;
  std::uint64_t connection_ = 0;
  std::uint64_t server_process_ = 0;
  std::uint64_t client_process_ = 0;
  bool closed_ = false;  // by the server
  Direction to_server_;
  Direction to_client_;
};

}  // namespace lw::simulate
