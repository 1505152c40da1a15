#include "common/web/web_client.h"

#include "common/base/cbor.h"

#include "common/access/peer_address.h"
#include "common/messages/rpc.h"
#include "common/web/tls.h"
#include "common/web/web_stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <deque>

namespace lw {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr std::size_t messages_queued_max = 32;
constexpr std::size_t message_bytes_max = std::size_t{512} << 20U;  // for figures of the largest wall
constexpr std::chrono::milliseconds pause_min{250};
constexpr std::chrono::milliseconds pause_max{2000};
// After a refusal: trying again sooner cannot help, and would look like an attempt to break in.
constexpr std::chrono::seconds pause_refused{30};
constexpr std::chrono::seconds handshake_time{5};

// The server, and the identity for it.
struct Goal {
  std::string host;
  std::uint16_t port;
  Credentials credentials;
  TlsContext tls;  // null: without TLS

  [[nodiscard]] std::string where() const { return host + ":" + std::to_string(port); }
};

// Lives until its last operation ends; the client releases it at once.
class Attempt : public std::enable_shared_from_this<Attempt> {
public:
  // `ended`: the reason, and whether another attempt would have the same result.
  using Ended = std::function<void(const std::string& reason, bool refused)>;

  Attempt(asio::io_context& io, WebClientHandlers& handlers, std::shared_ptr<const Goal> goal, Ended ended)
      : stream_(io), handlers_(&handlers), goal_(std::move(goal)), ended_(std::move(ended)) {}

  void start(const tcp::endpoint& endpoint) {
    tcp_stream().expires_after(handshake_time);
    tcp_stream().async_connect(endpoint, [self = shared_from_this()](beast::error_code error) {
      if (error) return self->end(error.message());
      if (self->goal_->tls) return self->secure();
      self->shake_hands();
    });
  }

  void send(std::string text) {
    if (!open_ || queue_.size() >= messages_queued_max) return;
    queue_.push_back(std::move(text));
    if (queue_.size() == 1) write();
  }

  void abandon() {
    handlers_ = nullptr;
    ended_ = nullptr;
    beast::error_code ignored;
    tcp_stream().socket().close(ignored);
  }

private:
  beast::tcp_stream& tcp_stream() { return beast::get_lowest_layer(stream_); }

  void secure() {
    const auto host = goal_->credentials.ca.empty() ? std::string() : goal_->host;
    stream_.next_layer().connect_tls(goal_->tls, host, [self = shared_from_this()](beast::error_code error) {
      if (!self->ended_) return;
      if (error) return self->end("TLS: " + error.message(), error.category() == asio::error::get_ssl_category());
      self->on_secure();
    });
  }

  // Called before anything is sent, especially the token.
  void on_secure() {
    if (goal_->credentials.ca.empty()) {
      const auto fingerprint = stream_.next_layer().peer_fingerprint();
      if (const auto known = check_server(goal_->credentials, goal_->where(), fingerprint); !known)
        return end(known.error().text(), true);
    }
    if (const auto& token = goal_->credentials.token; !token.empty())
      stream_.set_option(websocket::stream_base::decorator([token](websocket::request_type& request) {
        request.set(beast::http::field::authorization, "Bearer " + token);
      }));
    shake_hands();
  }

  void shake_hands() {
    tcp_stream().expires_never();
    stream_.set_option(websocket::stream_base::timeout{handshake_time, std::chrono::seconds(20), true});
    stream_.read_message_max(message_bytes_max);
    stream_.auto_fragment(false);
    stream_.async_handshake(answer_, goal_->where(), "/", [self = shared_from_this()](beast::error_code shaken) {
      if (shaken == websocket::error::upgrade_declined) return self->end(self->refusal(), true);
      if (shaken) return self->end(shaken.message());
      self->open_ = true;
      if (self->handlers_ != nullptr) self->handlers_->opened();
      self->read();
    });
  }

  [[nodiscard]] std::string refusal() const {
    switch (answer_.result_int()) {
      case 401:
        return goal_->credentials.token.empty() ? "the server requires a token; name its file with --token-file"
                                                : "the server does not know this token";
      case 403:
        return "the server rejects connections from this address without a token; use a token, or allow the address "
               "there";
      case 429:
        return "too many wrong tokens came from this host; the server accepts attempts again in a minute";
      case 421:
        return "the server does not accept the name " + goal_->host + "; add it there with --control-name";
      case 503:
        return "this token has its maximum number of connections; close one, or create another token";
      default:
        return "the server answers " + std::to_string(answer_.result_int()) + " to the connection";
    }
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->end(error.message());
      const auto data = self->buffer_.cdata();
      if (self->handlers_ != nullptr) self->handlers_->message({static_cast<const char*>(data.data()), data.size()});
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void write() {
    stream_.binary(is_cbor(queue_.front()));
    stream_.async_write(asio::buffer(queue_.front()),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (error) return;  // the pending read ends the connection
                          self->queue_.pop_front();
                          if (!self->queue_.empty()) self->write();
                        });
  }

  void end(const std::string& reason, bool refused = false) {
    open_ = false;
    if (auto ended = std::exchange(ended_, nullptr)) ended(reason, refused);
  }

  websocket::stream<WebStream> stream_;
  WebClientHandlers* handlers_;
  const std::shared_ptr<const Goal> goal_;
  Ended ended_;
  websocket::response_type answer_;  // to the handshake
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;
  bool open_ = false;
};

class Client final : public WebClient {
public:
  Client(asio::io_context& io, Goal goal, WebClientHandlers handlers)
      : io_(io), timer_(io), goal_(std::make_shared<Goal>(std::move(goal))), handlers_(std::move(handlers)) {
    handlers_.opened = [this, opened = std::move(handlers_.opened)] {
      pause_ = pause_min;
      opened();
    };
    asio::post(io_, [this, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) begin();
    });
  }
  ~Client() override {
    timer_.cancel();
    if (attempt_) attempt_->abandon();
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string text) override {
    if (attempt_) attempt_->send(std::move(text));
  }

private:
  void begin() {
    beast::error_code error;
    const auto address = asio::ip::make_address(goal_->host, error);
    if (error) return again("'" + goal_->host + "' is not a numeric address", false);
    const auto& credentials = goal_->credentials;
    const bool secure = credentials.tls == TlsUse::always || (credentials.tls == TlsUse::off_loopback &&
                                                              !is_loopback(goal_->host) && !address.is_unspecified());
    if (secure && !goal_->tls) {
      auto tls = client_tls(credentials.ca);
      if (!tls) return again(tls.error().text(), true);
      goal_->tls = std::move(*tls);
    }
    attempt_ = std::make_shared<Attempt>(io_, handlers_, goal_,
                                         [this](const std::string& reason, bool refused) { again(reason, refused); });
    attempt_->start({address, goal_->port});
  }

  void again(const std::string& reason, bool refused) {
    attempt_.reset();
    handlers_.closed(reason);
    timer_.expires_after(refused ? std::chrono::milliseconds(pause_refused) : pause_);
    pause_ = std::min(pause_ * 2, pause_max);
    timer_.async_wait([this](beast::error_code error) {
      if (!error) begin();
    });
  }

  asio::io_context& io_;
  asio::steady_timer timer_;
  const std::shared_ptr<Goal> goal_;
  WebClientHandlers handlers_;
  std::shared_ptr<Attempt> attempt_;
  std::chrono::milliseconds pause_ = pause_min;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::unique_ptr<WebClient> WebClient::connect(asio::io_context& io, const std::string& host, std::uint16_t port,
                                              WebClientHandlers handlers, Credentials credentials) {
  return std::make_unique<Client>(io, Goal{host, port, std::move(credentials), {}}, std::move(handlers));
}

}  // namespace lw
