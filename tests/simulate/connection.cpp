#include "tests/simulate/connection.h"

#include <algorithm>
#include <utility>

namespace lw::simulate {

Client client_of(Node& node) {
  return {{node.name(), AccessRole::node, "0", true},
          &node.host,
          [&node] { return node.runs(); },
          [&node] { return node.process(); },
          [&node](std::function<void(std::string)> send) {
            node.say_to_server = std::move(send);
            node.reporter().connected();
          },
          [&node] {
            node.say_to_server = [](const std::string& /*message*/) {};
            if (node.runs()) node.reporter().lost();
          },
          [&node](const std::string& message) { node.reporter().hear(message, node.host.now().local); }};
}

Client client_of(Server& from, const std::string& to) {
  return {{"server", AccessRole::server, "0", true},
          &from.host,
          [&from] { return from.runs() && from.coordination().needs_links(); },
          [&from] { return from.process(); },
          [&from, to](std::function<void(std::string)> send) { from.coordination().connected(to, std::move(send)); },
          [&from, to] {
            if (from.runs()) from.coordination().lost(to, from.host.now());
          },
          [&from, to](const std::string& message) { from.coordination().hear(to, message, from.host.now()); }};
}

// The server's end.
class Connection::Peer final : public WebPeer {
public:
  explicit Peer(Connection& connection) : connection_(connection) {}
  void send(std::shared_ptr<const std::string> text, bool /*droppable*/) override {
    connection_.say(connection_.to_client_, *text);
  }
  void close(const std::string& /*reason*/) override { connection_.closed_ = true; }
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return connection_.client_.visitor; }
  [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

private:
  Connection& connection_;
  const std::string address_ = "10.1.0.1";
};

Connection::Connection(Timeline& timeline, std::vector<const LinkState*> paths, Server& server, Client client)
    : timeline_(timeline), paths_(std::move(paths)), server_(server), client_(std::move(client)) {}

Connection::~Connection() = default;

bool Connection::is_cut() const {
  return std::ranges::any_of(paths_, [](const LinkState* path) { return path->cut; });
}

void Connection::look() {
  if (peer_ && is_broken()) disconnect();
  const bool wants = client_.runs() && !client_.host->frozen();
  const bool can = server_.runs() && !server_.host.frozen() && !is_cut();
  if (!peer_ && wants) can ? connect() : client_.closed();
  deliver();
}

bool Connection::is_broken() const {
  return closed_ || is_cut() || !server_.runs() || !client_.runs() || server_.process() != server_process_ ||
         client_.process() != client_process_;
}

void Connection::connect() {
  ++connection_;
  server_process_ = server_.process();
  client_process_ = client_.process();
  closed_ = false;
  to_server_ = to_client_ = {};
  peer_ = std::make_unique<Peer>(*this);
  server_.opened(*peer_);
  client_.opened([this, connection = connection_](std::string message) {
    if (peer_ && connection == connection_) say(to_server_, std::move(message));
  });
}

void Connection::disconnect() {
  if (server_.runs() && server_.process() == server_process_) server_.closed(*peer_);
  if (client_.runs() && client_.process() == client_process_) client_.closed();
  peer_.reset();
}

void Connection::say(Direction& direction, std::string message) {
  direction.messages.push_back(std::move(message));
  timeline_.at(timeline_.now().wall + paths_.front()->delay, [this, &direction, connection = connection_] {
    if (connection != connection_ || !peer_) return;
    ++direction.arrived;
    deliver();
  });
}

void Connection::deliver() {
  const auto take = [&](Direction& direction, const Host& host, const auto& hear) {
    while (peer_ && !is_broken() && !host.frozen() && direction.arrived > 0) {
      --direction.arrived;
      const auto message = std::move(direction.messages.front());
      direction.messages.pop_front();
      hear(message);
    }
  };
  take(to_server_, server_.host, [&](const std::string& message) { server_.hear(*peer_, message); });
  take(to_client_, *client_.host, client_.hear);
}

}  // namespace lw::simulate
