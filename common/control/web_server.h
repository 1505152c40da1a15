// One TCP port for everything: WebSocket messages, and HTTP GET for what has a path. One thread: the caller's
// io_context's; every handler is called on it.
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace lw {

// A WebSocket peer. Valid from `opened` to `closed`.
class WebPeer {
public:
  virtual ~WebPeer() = default;
  // Queues a text message. `droppable` messages (statistics) are left out for a peer that reads too slowly; a peer that
  // has more than 4 MiB queued is disconnected.
  virtual void send(std::shared_ptr<const std::string> text, bool droppable) = 0;
  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text)), false); }
  virtual void close(const std::string& reason) = 0;
  [[nodiscard]] virtual const std::string& address() const = 0;
  // Of messages that are queued for it.
  [[nodiscard]] virtual std::size_t unread_bytes() const = 0;
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

struct WebHandlers {
  std::function<void(WebPeer&)> opened;
  std::function<void(WebPeer&, std::string_view)> message;
  std::function<void(WebPeer&)> closed;
  std::function<HttpReply(std::string_view path)> get;
};

struct WebLimits {
  std::size_t connections = 512;              // more are closed at once
  std::chrono::milliseconds request{10'000};  // for an HTTP request and its answer
  std::chrono::milliseconds silence{20'000};  // of a WebSocket peer that does not answer pings either
};

class WebServer {
public:
  // A port in use is an error that names it.
  static Result<std::unique_ptr<WebServer>> listen(boost::asio::io_context& io, const std::string& host,
                                                   std::uint16_t port, WebHandlers handlers, WebLimits limits = {});
  virtual ~WebServer() = default;  // closes every connection without calling handlers
};

}  // namespace lw
