// One TCP port for everything: WebSocket messages, and HTTP GET for what has a path. One thread: the caller's io_context's;
// every handler is called on it.
#pragma once

#include "common/base/result.h"

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
  // Queues a text message. `droppable` messages (statistics) are left out for a peer that reads too slowly; a peer that has
  // more than 4 MiB queued is disconnected.
  virtual void send(std::shared_ptr<const std::string> text, bool droppable) = 0;
  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text)), false); }
  virtual void close(const std::string& reason) = 0;
  [[nodiscard]] virtual const std::string& address() const = 0;
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

class WebServer {
public:
  static constexpr std::size_t connections_max = 512;

  // A port in use is an error that names it.
  static Result<std::unique_ptr<WebServer>> listen(boost::asio::io_context& io, const std::string& host, std::uint16_t port, WebHandlers handlers);
  virtual ~WebServer() = default;  // closes every connection without calling handlers
};

}  // namespace lw
