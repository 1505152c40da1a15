#include "common/web/web_server.h"

#include "common/base/cbor.h"

#include "common/access/certificate_names.h"
#include "common/access/peer_address.h"
#include "common/base/short_text.h"
#include "common/messages/rpc.h"
#include "common/web/own_names.h"
#include "common/web/page_origin.h"
#include "common/web/tls.h"
#include "common/web/web_stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/core/detect_ssl.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <deque>
#include <list>
#include <optional>
#include <set>

namespace lw {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr std::size_t listening_bytes_max = std::size_t{1} << 20U;
constexpr std::size_t droppable_queue_bytes_max = std::size_t{256} << 10U;
constexpr std::chrono::seconds handshake_timeout{5};
constexpr std::chrono::milliseconds accept_pause{100};
constexpr std::size_t header_bytes_max = 8192;
constexpr std::size_t host_shown_max = 80;

class Server;

using FreeBind = asio::detail::socket_option::boolean<IPPROTO_IP, IP_FREEBIND>;

// A connection begins with or without TLS, then is HTTP, and may become a WebSocket.
class Connection final : public WebPeer, public std::enable_shared_from_this<Connection> {
public:
  Connection(tcp::socket socket, const std::string& host, std::uint16_t port, std::string local, bool trusted,
             Server& server)
      : stream_(std::move(socket)),
        server_(&server),
        host_(host),
        local_(std::move(local)),
        address_(host + ":" + std::to_string(port)),
        network_(network_of(host)),
        trusted_(trusted) {}

  void start();
  void forget_server() {
    server_ = nullptr;
    beast::error_code ignored;
    tcp_stream().socket().close(ignored);
  }

  void send(std::shared_ptr<const std::string> text, bool droppable) override;
  void close(const std::string& reason) override;
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
  [[nodiscard]] std::size_t unread_bytes() const override { return queued_bytes_; }
  [[nodiscard]] const std::string& network() const { return network_; }

private:
  beast::tcp_stream& tcp_stream() { return beast::get_lowest_layer(stream_); }
  void on_first_bytes(bool tls);
  void read_request();
  void on_request(beast::error_code error);
  // The answer if the request is rejected whoever sends it.
  [[nodiscard]] std::optional<HttpReply> refusal() const;
  // What the client shows of itself; valid as long as `request`.
  [[nodiscard]] WebRequest description(const http::request_header<>& request, bool upgrade) const;
  // Determines the client's identity. False if the request has been answered.
  bool let_in(const WebRequest& request);
  void upgrade();
  void read_body();
  void on_body(beast::error_code error);
  void reply(HttpReply reply);
  void on_replied();
  void on_accepted(beast::error_code error);
  void read();
  void write();
  void end();

  websocket::stream<WebStream> stream_;
  Server* server_;
  const std::string host_, local_, address_, network_;
  const bool trusted_;
  Visitor visitor_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> request_;
  std::optional<http::request_parser<http::string_body>> post_;  // takes over from request_
  std::deque<std::shared_ptr<const std::string>> queue_;         // the first is being written
  std::size_t queued_bytes_ = 0;
  bool open_ = false;
  bool closing_ = false;
  bool listens_ = true;  // a read is pending, once it is open
};

class Server final : public WebServer {
public:
  Server(asio::io_context& io, WebHandlers handlers, const WebLimits& limits, TlsContext tls, OwnNames names,
         const WebSecurity& security)
      : io_(io),
        handlers_(std::move(handlers)),
        limits_(limits),
        tls_(std::move(tls)),
        names_(std::move(names)),
        name_mend_(security.name_mend),
        trust_this_host_(security.trust_this_host) {}
  ~Server() override {
    for (const auto& connection : connections_) connection->forget_server();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // `moves`: this host may not have the address now.
  Result<void> open(const std::string& host, std::uint16_t port, bool moves = false) {
    beast::error_code error;
    const auto address = asio::ip::make_address(host, error);
    if (error) return Error{"'" + host + "' is not a numeric address", "correct [[server]] control in the wall file"};
    const tcp::endpoint endpoint(address, port);
    const auto where = host + ":" + std::to_string(port);
    auto& listener = listeners_.emplace_back(io_);
    auto& acceptor = listener.acceptor;
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error && moves) acceptor.set_option(FreeBind(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use)
      return Error{where + " is in use", "stop the other server or choose another [[server]] control address"};
    if (error)
      return Error{"cannot listen on " + where + ": " + error.message(), "correct [[server]] control in the wall file"};
    accept(listener);
    return {};
  }

  void remove(const std::shared_ptr<Connection>& connection) {
    strangers_.remove(connection);
    connections_.erase(connection);
  }
  void no_stranger(const std::shared_ptr<Connection>& connection) { strangers_.remove(connection); }
  // Connections admitted by this token.
  [[nodiscard]] std::size_t count_of_token(const std::string& sha256) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        connections_, [&](const auto& connection) { return connection->visitor().token_sha256 == sha256; }));
  }
  [[nodiscard]] const OwnNames& names() const { return names_; }
  [[nodiscard]] const std::string& name_mend() const { return name_mend_; }
  [[nodiscard]] const WebHandlers& handlers() const { return handlers_; }
  [[nodiscard]] const WebLimits& limits() const { return limits_; }
  [[nodiscard]] const TlsContext& tls() const { return tls_; }

private:
  struct Listener {
    explicit Listener(asio::io_context& io) : acceptor(io), pause(io) {}
    tcp::acceptor acceptor;
    asio::steady_timer pause;
  };

  void accept(Listener& listener) {
    listener.acceptor.async_accept([this, &listener](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later(listener);
      take(std::move(socket));
      accept(listener);
    });
  }

  // Probably out of file descriptors: trying again at once would use a complete core.
  void accept_later(Listener& listener) {
    listener.pause.expires_after(accept_pause);
    listener.pause.async_wait([this, &listener](beast::error_code error) {
      if (!error) accept(listener);
    });
  }

  void take(tcp::socket socket) {
    beast::error_code error;
    const auto remote = socket.remote_endpoint(error);
    const auto local = error ? tcp::endpoint() : socket.local_endpoint(error);
    if (error) return;  // already closed
    const auto host = remote.address().to_string();
    const bool trusted = trust_this_host_ && is_loopback(host);
    auto connection = std::make_shared<Connection>(std::move(socket), host, remote.port(), local.address().to_string(),
                                                   trusted, *this);
    if (!trusted) make_room_for_stranger(connection->network());
    if (connections_.size() >= (trusted ? limits_.connections : places_of_strangers())) return;
    connections_.insert(connection);
    if (!trusted) strangers_.push_back(connection);
    connection->start();
  }

  // Genuine clients are admitted within milliseconds; the one that has held a place longest is most likely not genuine.
  void make_room_for_stranger(const std::string& network) {
    const auto of_network = [&](const auto& stranger) { return stranger->network() == network; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(strangers_, of_network));
    if (count >= limits_.strangers_of_network)
      drop(*std::ranges::find_if(strangers_, of_network));
    else if (connections_.size() >= places_of_strangers() && !strangers_.empty())
      drop(strangers_.front());
  }
  [[nodiscard]] std::size_t places_of_strangers() const {
    return limits_.connections - std::min(limits_.connections, limits_.kept_free);
  }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): what is named may be a place of the list it is taken out of
  void drop(std::shared_ptr<Connection> connection) {
    connection->forget_server();
    remove(connection);
  }

  asio::io_context& io_;
  std::list<Listener> listeners_;
  WebHandlers handlers_;
  WebLimits limits_;
  TlsContext tls_;
  const OwnNames names_;
  const std::string name_mend_;
  const bool trust_this_host_;
  std::set<std::shared_ptr<Connection>> connections_;
  std::list<std::shared_ptr<Connection>> strangers_;  // those that are not yet admitted, oldest first
};

void Connection::start() {
  tcp_stream().expires_after(server_->limits().request);  // for everything until it is admitted and answered
  beast::async_detect_ssl(tcp_stream(), buffer_, [self = shared_from_this()](beast::error_code error, bool tls) {
    if (self->server_ == nullptr) return;
    if (error) return self->end();
    self->on_first_bytes(tls);
  });
}

void Connection::on_first_bytes(bool tls) {
  if (!tls) return read_request();
  if (server_->tls() == nullptr) return end();
  stream_.next_layer().accept_tls(server_->tls(), buffer_.data(),
                                  [self = shared_from_this()](beast::error_code error, std::size_t used) {
                                    if (self->server_ == nullptr) return;
                                    if (error) return self->end();
                                    self->buffer_.consume(used);
                                    self->read_request();
                                  });
}

void Connection::read_request() {
  request_.emplace();
  request_->header_limit(header_bytes_max);
  // Reads only the header: most requests with a body are refused without reading it.
  http::async_read_header(
      stream_.next_layer(), buffer_, *request_,
      [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_request(error); });
}

void Connection::on_request(beast::error_code error) {
  if (server_ == nullptr) return;
  if (error) return end();
  if (auto refused = refusal()) return reply(std::move(*refused));
  const auto& request = request_->get();
  const bool wants_upgrade = websocket::is_upgrade(request);
  const bool is_post = !wants_upgrade && request.method() == http::verb::post && server_->handlers().post;
  if (!wants_upgrade && !is_post && request.method() != http::verb::get)
    return reply({405, "text/plain", "only GET\n"});
  const auto shown = description(request, wants_upgrade);
  if (is_post && !shown.from_page) return reply({403, "text/plain", "only for the pages of this port\n"});
  if (!let_in(shown)) return;
  if (wants_upgrade) return upgrade();
  if (is_post) return read_body();
  reply(server_->handlers().get(shown.path));
}

std::optional<HttpReply> Connection::refusal() const {
  if (!trusted_ && server_->tls() != nullptr && !stream_.next_layer().is_secure())
    return HttpReply{403, "text/plain", "TLS only\n"};
  const auto& request = request_->get();
  const auto hosts = request.count(http::field::host);
  const auto host = request[http::field::host];
  const std::string_view called(host.data(), host.size());
  // Browsers send the origin of the page and the host to which they connect. Pages from elsewhere must neither control
  // the wall from an operator's desk nor read from it. A client that sends no origin is not a browser.
  if (const auto origins = request.count(http::field::origin); origins > 0) {
    const auto origin = request[http::field::origin];
    const bool is_own = server_->handlers().post && origins == 1 && hosts == 1 &&
                        is_own_origin({origin.data(), origin.size()}, called, stream_.next_layer().is_secure());
    if (!is_own) return HttpReply{403, "text/plain", "not for web pages from elsewhere\n"};
  }
  if (hosts == 0 || (hosts == 1 && server_->names().has(called, local_))) return std::nullopt;
  return HttpReply{421, "text/plain",
                   "this server is not called '" + short_text(called, host_shown_max) +
                       "'; call it by its address or host name" + server_->name_mend() + "\n"};
}

WebRequest Connection::description(const http::request_header<>& request, bool upgrade) const {
  const auto field = [&](http::field name) {
    const auto value = request[name];
    return std::string_view(value.data(), value.size());
  };
  const std::string_view target(request.target().data(), request.target().size());
  auto token = field(http::field::authorization);
  constexpr std::string_view scheme = "Bearer ";
  token = beast::iequals(token.substr(0, scheme.size()), scheme) ? token.substr(scheme.size()) : std::string_view();
  // HTTP/1.1 has one Cookie header.
  const auto cookies = request.count(http::field::cookie) == 1 ? field(http::field::cookie) : std::string_view();
  const bool from_page = request.count(http::field::origin) > 0;
  return {host_, trusted_, upgrade, target.substr(0, target.find('?')), token, from_page, cookies};
}

bool Connection::let_in(const WebRequest& request) {
  if (server_->handlers().admit) {
    auto decision = server_->handlers().admit(request);
    if (auto* refusal = std::get_if<HttpReply>(&decision)) {
      reply(std::move(*refusal));
      return false;
    }
    visitor_ = std::move(std::get<Visitor>(decision));
  }
  if (const auto& token = visitor_.token_sha256;
      !token.empty() && server_->count_of_token(token) > server_->limits().of_token) {
    visitor_ = {};
    reply({503, "text/plain",
           "this token or session has " + std::to_string(server_->limits().of_token) +
               " connections already; close one, or make a token for each program\n"});
    return false;
  }
  if (visitor_.is_known) server_->no_stranger(shared_from_this());
  return true;
}

void Connection::read_body() {
  const auto length = request_->content_length();
  if (!length) return reply({411, "text/plain", "a Content-Length is needed\n"});
  if (const auto limit = server_->limits().body_bytes; *length > limit)
    return reply({413, "text/plain", "the body is longer than " + std::to_string(limit) + " bytes\n"});
  post_.emplace(std::move(*request_));
  request_.reset();
  http::async_read(stream_.next_layer(), buffer_, *post_,
                   [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_body(error); });
}

void Connection::on_body(beast::error_code error) {
  if (server_ == nullptr) return;
  if (error) return end();
  const auto& request = post_->get();
  reply(server_->handlers().post(description(request, false), request.body()));
}

void Connection::upgrade() {
  tcp_stream().expires_never();
  // Keep-alive pings detect a peer that has disappeared.
  stream_.set_option(websocket::stream_base::timeout{handshake_timeout, server_->limits().silence, true});
  stream_.auto_fragment(false);
  stream_.read_message_max(rpc_bytes_max);
  stream_.async_accept(request_->get(),
                       [self = shared_from_this()](beast::error_code accepted) { self->on_accepted(accepted); });
}

void Connection::reply(HttpReply reply) {
  auto response = std::make_shared<http::response<http::string_body>>(static_cast<http::status>(reply.status), 11);
  response->set(http::field::content_type, reply.content_type);
  response->set(http::field::connection, "close");
  response->set("X-Content-Type-Options", "nosniff");
  if (reply.status == 405) response->set(http::field::allow, "GET");
  for (const auto& [name, value] : reply.headers) response->set(name, value);
  response->body() = std::move(reply.body);
  response->prepare_payload();
  http::async_write(stream_.next_layer(), *response,
                    [self = shared_from_this(), response](beast::error_code, std::size_t) { self->on_replied(); });
}

// TLS announces the end; a client that does not answer it has the rest of its time.
void Connection::on_replied() {
  if (server_ != nullptr && stream_.next_layer().is_secure())
    return stream_.next_layer().end_tls([self = shared_from_this()](beast::error_code) { self->end(); });
  beast::error_code ignored;
  tcp_stream().socket().shutdown(tcp::socket::shutdown_send, ignored);
  end();
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
    self->listens_ = self->queued_bytes_ <= listening_bytes_max;
    if (self->listens_) self->read();
  });
}

void Connection::send(std::shared_ptr<const std::string> text, bool droppable) {
  if (!open_ || closing_ || server_ == nullptr) return;
  if (droppable && queued_bytes_ > droppable_queue_bytes_max) return;
  if (queued_bytes_ + text->size() > server_->limits().unread_bytes) {
    beast::error_code ignored;
    tcp_stream().socket().close(ignored);  // its pending read ends the connection
    return;
  }
  queued_bytes_ += text->size();
  queue_.push_back(std::move(text));
  if (queue_.size() == 1) write();
}

void Connection::write() {
  stream_.binary(is_cbor(*queue_.front()));
  stream_.async_write(asio::buffer(*queue_.front()), [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (self->server_ == nullptr) return;
    if (error) return self->listens_ ? void() : self->end();  // else the pending read ends the connection
    self->queued_bytes_ -= self->queue_.front()->size();
    self->queue_.pop_front();
    if (!self->queue_.empty()) self->write();
    if (!self->listens_ && self->queued_bytes_ <= listening_bytes_max) {
      self->listens_ = true;
      self->read();
    }
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
                                                     WebHandlers handlers, WebLimits limits,
                                                     const WebSecurity& security) {
  TlsContext tls;
  if (security.certificate) {
    auto made = server_tls(*security.certificate);
    if (!made) return made.error();
    tls = std::move(*made);
  }
  const bool also_loopback = tls && !is_loopback(host) && !is_unspecified(host);
  auto names = security.names;
  names.push_back(host);
  if (security.certificate) std::ranges::copy(names_in(security.certificate->certificate), std::back_inserter(names));
  auto server = std::make_unique<Server>(io, std::move(handlers), limits, std::move(tls), OwnNames(names), security);
  if (const auto opened = server->open(host, port); !opened) return opened.error();
  if (also_loopback)
    if (const auto opened = server->open("127.0.0.1", port); !opened) return opened.error();
  for (const auto& [moving_host, moving_port] : security.moving)
    if (const auto opened = server->open(moving_host, moving_port, true); !opened) return opened.error();
  return std::unique_ptr<WebServer>(std::move(server));
}

}  // namespace lw
