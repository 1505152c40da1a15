// A WebSocket client that stays connected: tries again for ever, with a growing pause. One thread: the io_context's.
#pragma once

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
  std::function<void(const std::string& reason)> closed;  // also when a connection could not be made
};

class WebClient {
public:
  static std::unique_ptr<WebClient> connect(boost::asio::io_context& io, const std::string& host, std::uint16_t port,
                                            WebClientHandlers handlers);
  virtual ~WebClient() = default;
  // Left out when not connected, or when the peer reads so slowly that messages pile up.
  virtual void send(std::string text) = 0;
};

}  // namespace lw
