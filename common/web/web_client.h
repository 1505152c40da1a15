// A WebSocket client that stays connected: it tries again forever, with a growing pause. Uses TLS to a server off
// loopback, which it verifies before sending anything. One thread: the io_context's.
#pragma once

#include "common/access/credentials.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace boost::asio {
class io_context;
}

namespace lw {

struct WebClientHandlers {
  std::function<void()> opened;
  std::function<void(std::string_view)> message;
  std::function<void(const std::string& reason)> closed;  // also if a connection could not be made
};

class WebClient {
public:
  static std::unique_ptr<WebClient> connect(boost::asio::io_context& io, const std::string& host, std::uint16_t port,
                                            WebClientHandlers handlers, Credentials credentials = {});
  virtual ~WebClient() = default;
  // Dropped if not connected, or if the peer reads so slowly that messages pile up.
  virtual void send(std::string text) = 0;
};

}  // namespace lw
