#include "common/control/web_client.h"

#include "common/control/rpc.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
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
constexpr std::chrono::milliseconds pause_min{250};
constexpr std::chrono::milliseconds pause_max{2000};

// Lives as long as its last operation; the client lets go of it at once.
class Attempt : public std::enable_shared_from_this<Attempt> {
public:
  Attempt(asio::io_context& io, WebClientHandlers& handlers, std::function<void(const std::string&)> ended)
      : stream_(io), handlers_(&handlers), ended_(std::move(ended)) {}

  void start(const tcp::endpoint& endpoint, const std::string& host) {
    auto& socket = beast::get_lowest_layer(stream_);
    socket.expires_after(std::chrono::seconds(5));
    socket.async_connect(endpoint, [self = shared_from_this(), host](beast::error_code error) {
      if (error) return self->end(error.message());
      beast::get_lowest_layer(self->stream_).expires_never();
      self->stream_.set_option(
          websocket::stream_base::timeout{std::chrono::seconds(5), std::chrono::seconds(20), true});
      self->stream_.read_message_max(rpc_bytes_max * 4);
      self->stream_.auto_fragment(false);
      self->stream_.async_handshake(host, "/", [self](beast::error_code shaken) {
        if (shaken) return self->end(shaken.message());
        self->open_ = true;
        if (self->handlers_ != nullptr) self->handlers_->opened();
        self->read();
      });
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
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

private:
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
    stream_.text(true);
    stream_.async_write(asio::buffer(queue_.front()),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          if (error) return;  // the pending read ends the connection
                          self->queue_.pop_front();
                          if (!self->queue_.empty()) self->write();
                        });
  }

  void end(const std::string& reason) {
    open_ = false;
    if (auto ended = std::exchange(ended_, nullptr)) ended(reason);
  }

  websocket::stream<beast::tcp_stream> stream_;
  WebClientHandlers* handlers_;
  std::function<void(const std::string&)> ended_;
  beast::flat_buffer buffer_;
  std::deque<std::string> queue_;
  bool open_ = false;
};

class Client final : public WebClient {
public:
  Client(asio::io_context& io, std::string host, std::uint16_t port, WebClientHandlers handlers)
      : io_(io), timer_(io), host_(std::move(host)), port_(port), handlers_(std::move(handlers)) {
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
    const auto address = asio::ip::make_address(host_, error);
    if (error) return again("'" + host_ + "' is no numeric address");
    attempt_ = std::make_shared<Attempt>(io_, handlers_, [this](const std::string& reason) { again(reason); });
    attempt_->start({address, port_}, host_ + ":" + std::to_string(port_));
  }

  void again(const std::string& reason) {
    attempt_.reset();
    handlers_.closed(reason);
    timer_.expires_after(pause_);
    pause_ = std::min(pause_ * 2, pause_max);
    timer_.async_wait([this](beast::error_code error) {
      if (!error) begin();
    });
  }

  asio::io_context& io_;
  asio::steady_timer timer_;
  std::string host_;
  std::uint16_t port_;
  WebClientHandlers handlers_;
  std::shared_ptr<Attempt> attempt_;
  std::chrono::milliseconds pause_ = pause_min;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::unique_ptr<WebClient> WebClient::connect(asio::io_context& io, const std::string& host, std::uint16_t port,
                                              WebClientHandlers handlers) {
  return std::make_unique<Client>(io, host, port, std::move(handlers));
}

}  // namespace lw
