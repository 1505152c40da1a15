#include "common/control/web_server.h"

#include "common/control/rpc.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <deque>
#include <optional>
#include <set>

namespace lw {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr std::size_t queue_bytes_max = std::size_t{4} << 20U;
constexpr std::size_t droppable_queue_bytes_max = std::size_t{256} << 10U;
constexpr std::chrono::seconds handshake_timeout{5};
constexpr std::chrono::milliseconds accept_pause{100};
constexpr std::size_t header_bytes_max = 8192;

class Server;

// A connection begins as HTTP and may become a WebSocket.
class Connection final : public WebPeer, public std::enable_shared_from_this<Connection> {
public:
  Connection(tcp::socket socket, Server& server) : stream_(std::move(socket)), server_(&server) {
    beast::error_code error;
    const auto remote = beast::get_lowest_layer(stream_).socket().remote_endpoint(error);
    if (!error) address_ = remote.address().to_string() + ":" + std::to_string(remote.port());
  }

  void start();
  void forget_server() {
    server_ = nullptr;
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

  void send(std::shared_ptr<const std::string> text, bool droppable) override;
  void close(const std::string& reason) override;
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return queued_bytes_; }

private:
  void on_request(beast::error_code error);
  void reply(HttpReply reply);
  void on_accepted(beast::error_code error);
  void read();
  void write();
  void end();

  websocket::stream<beast::tcp_stream> stream_;
  Server* server_;
  std::string address_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> request_;
  std::deque<std::shared_ptr<const std::string>> queue_;  // the first is being written
  std::size_t queued_bytes_ = 0;
  bool open_ = false;
  bool closing_ = false;
};

class Server final : public WebServer {
public:
  Server(asio::io_context& io, WebHandlers handlers, WebLimits limits)
      : acceptor_(io), pause_(io), handlers_(std::move(handlers)), limits_(limits) {}
  ~Server() override {
    for (const auto& connection : connections_) connection->forget_server();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Result<void> open(const std::string& host, std::uint16_t port) {
    beast::error_code error;
    const auto address = asio::ip::make_address(host, error);
    if (error) return Error{"'" + host + "' is no numeric address", "correct [[server]] control in the wall file"};
    const tcp::endpoint endpoint(address, port);
    const auto where = host + ":" + std::to_string(port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use)
      return Error{where + " is in use", "stop the other server or choose another [[server]] control address"};
    if (error)
      return Error{"cannot listen on " + where + ": " + error.message(), "correct [[server]] control in the wall file"};
    accept();
    return {};
  }

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      if (connections_.size() < limits_.connections) {
        auto connection = std::make_shared<Connection>(std::move(socket), *this);
        connections_.insert(connection);
        connection->start();
      }
      accept();
    });
  }

  // Out of file descriptors, most likely: trying again at once would take a whole core.
  void accept_later() {
    pause_.expires_after(accept_pause);
    pause_.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  void remove(const std::shared_ptr<Connection>& connection) { connections_.erase(connection); }
  [[nodiscard]] const WebHandlers& handlers() const { return handlers_; }
  [[nodiscard]] const WebLimits& limits() const { return limits_; }

private:
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  WebHandlers handlers_;
  WebLimits limits_;
  std::set<std::shared_ptr<Connection>> connections_;
};

void Connection::start() {
  request_.emplace();
  request_->header_limit(header_bytes_max);
  beast::get_lowest_layer(stream_).expires_after(server_->limits().request);
  // The header only: what has a body is refused without reading it.
  http::async_read_header(
      beast::get_lowest_layer(stream_), buffer_, *request_,
      [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_request(error); });
}

void Connection::on_request(beast::error_code error) {
  if (server_ == nullptr) return;
  if (error) return end();
  const auto& request = request_->get();
  // Browsers name the page that asks: none of ours does, and a stranger's page must not drive the wall from an
  // operator's desk.
  if (!request[http::field::origin].empty()) return reply({403, "text/plain", "not for web pages\n"});
  if (websocket::is_upgrade(request)) {
    beast::get_lowest_layer(stream_).expires_never();
    // Keep-alive pings find a peer that vanished without a word.
    websocket::stream_base::timeout timeout{handshake_timeout, server_->limits().silence, true};
    stream_.set_option(timeout);
    stream_.auto_fragment(false);
    stream_.read_message_max(rpc_bytes_max);
    stream_.async_accept(request,
                         [self = shared_from_this()](beast::error_code accepted) { self->on_accepted(accepted); });
    return;
  }
  if (request.method() != http::verb::get) return reply({405, "text/plain", "only GET\n"});
  const std::string_view target(request.target().data(), request.target().size());
  reply(server_->handlers().get(target.substr(0, target.find('?'))));
}

void Connection::reply(HttpReply reply) {
  auto response = std::make_shared<http::response<http::string_body>>(static_cast<http::status>(reply.status), 11);
  response->set(http::field::content_type, reply.content_type);
  response->set(http::field::connection, "close");
  if (reply.status == 405) response->set(http::field::allow, "GET");
  response->body() = std::move(reply.body);
  response->prepare_payload();
  http::async_write(beast::get_lowest_layer(stream_), *response,
                    [self = shared_from_this(), response](beast::error_code, std::size_t) {
                      beast::error_code ignored;
                      beast::get_lowest_layer(self->stream_).socket().shutdown(tcp::socket::shutdown_send, ignored);
                      self->end();
                    });
}

void Connection::on_accepted(beast::error_code error) {
  if (server_ == nullptr) return;
  if (error) return end();
  request_.reset();
  buffer_.clear();
  open_ = true;
  server_->handlers().opened(*this);
  read();
}

void Connection::read() {
  stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (self->server_ == nullptr) return;
    if (error) return self->end();
    const auto data = self->buffer_.cdata();
    if (!self->closing_) self->server_->handlers().message(*self, {static_cast<const char*>(data.data()), data.size()});
    if (self->server_ == nullptr) return;
    self->buffer_.consume(self->buffer_.size());
    self->read();
  });
}

void Connection::send(std::shared_ptr<const std::string> text, bool droppable) {
  if (!open_ || closing_) return;
  if (droppable && queued_bytes_ > droppable_queue_bytes_max) return;
  if (queued_bytes_ + text->size() > queue_bytes_max) {
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);  // its pending read ends the connection
    return;
  }
  queued_bytes_ += text->size();
  queue_.push_back(std::move(text));
  if (queue_.size() == 1) write();
}

void Connection::write() {
  stream_.text(true);
  stream_.async_write(asio::buffer(*queue_.front()), [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (self->server_ == nullptr || error) return;  // the pending read ends the connection
    self->queued_bytes_ -= self->queue_.front()->size();
    self->queue_.pop_front();
    if (!self->queue_.empty()) self->write();
  });
}

void Connection::close(const std::string& reason) {
  if (!open_ || closing_) return;
  closing_ = true;
  stream_.async_close(websocket::close_reason(websocket::close_code::policy_error, reason.substr(0, 120)),
                      [self = shared_from_this()](beast::error_code) {});
}

void Connection::end() {
  if (server_ == nullptr) return;
  if (open_) {
    open_ = false;
    server_->handlers().closed(*this);
  }
  server_->remove(shared_from_this());
  server_ = nullptr;
}

}  // namespace

Result<std::unique_ptr<WebServer>> WebServer::listen(asio::io_context& io, const std::string& host, std::uint16_t port,
                                                     WebHandlers handlers, WebLimits limits) {
  auto server = std::make_unique<Server>(io, std::move(handlers), limits);
  if (const auto opened = server->open(host, port); !opened) return opened.error();
  return std::unique_ptr<WebServer>(std::move(server));
}

}  // namespace lw
