#include "tests/simulate/control_link.h"

#include <utility>

namespace lw::simulate {

// The server's end.
class ControlLink::Peer final : public WebPeer {
public:
  explicit Peer(ControlLink& link) : link_(link), visitor_{link.node_.name(), AccessRole::node, "0", true} {}
  void send(std::shared_ptr<const std::string> text, bool /*droppable*/) override { link_.say(link_.to_node_, *text); }
  void close(const std::string& /*reason*/) override { link_.closed_ = true; }
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

private:
  ControlLink& link_;
  const std::string address_ = "10.1.0.1";
  const Visitor visitor_;
};

ControlLink::ControlLink(Timeline& timeline, const LinkState& path, Server& server, Node& node)
    : timeline_(timeline), path_(path), server_(server), node_(node) {
  node_.say_to_server = [this](std::string message) {
    if (peer_) say(to_server_, std::move(message));
  };
}

ControlLink::~ControlLink() = default;

void ControlLink::look() {
  if (peer_ && is_broken()) disconnect();
  const bool can = server_.runs() && node_.runs() && !server_.host.frozen() && !node_.host.frozen() && !path_.cut;
  if (!peer_ && can) connect();
  deliver();
}

bool ControlLink::is_broken() const {
  return closed_ || path_.cut || !server_.runs() || !node_.runs() || server_.process() != server_process_ ||
         node_.process() != node_process_;
}

void ControlLink::connect() {
  ++connection_;
  server_process_ = server_.process();
  node_process_ = node_.process();
  closed_ = false;
  to_server_ = to_node_ = {};
  peer_ = std::make_unique<Peer>(*this);
  server_.opened(*peer_);
  node_.reporter().connected();
}

void ControlLink::disconnect() {
  if (server_.runs() && server_.process() == server_process_) server_.closed(*peer_);
  if (node_.runs() && node_.process() == node_process_) node_.reporter().lost();
  peer_.reset();
}

void ControlLink::say(Direction& direction, std::string message) {
  direction.messages.push_back(std::move(message));
  timeline_.at(timeline_.now().wall + path_.delay, [this, &direction, connection = connection_] {
    if (connection != connection_ || !peer_) return;
    ++direction.arrived;
    deliver();
  });
}

void ControlLink::deliver() {
  const auto take = [&](Direction& direction, const Host& host, const auto& hear) {
    while (peer_ && !is_broken() && !host.frozen() && direction.arrived > 0) {
      --direction.arrived;
      const auto message = std::move(direction.messages.front());
      direction.messages.pop_front();
      hear(message);
    }
  };
  take(to_server_, server_.host, [&](const std::string& message) { server_.hear(*peer_, message); });
  take(to_node_, node_.host,
       [&](const std::string& message) { node_.reporter().hear(message, node_.host.now().local); });
}

}  // namespace lw::simulate
