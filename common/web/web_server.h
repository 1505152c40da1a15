// One TCP port for everything: WebSocket messages, and HTTP GET for what has a path; in the clear and by TLS. One
// thread: the caller's io_context's; every handler is called on it.
#pragma once

#include "common/access/admission.h"
#include "common/access/certificate.h"
#include "common/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace lw {

// A WebSocket peer. Valid from `opened` to `closed`.
class WebPeer {
public:
  virtual ~WebPeer() = default;
  // Queues a text message. `droppable` messages (statistics) are skipped for a peer that reads too slowly; a peer that
  // has more than WebLimits::unread_bytes queued is disconnected. It is not listened to while it has more than 1 MiB,
  // so that what it asks for does not bring that about, however much it asks at once.
  virtual void send(std::shared_ptr<const std::string> text, bool droppable) = 0;
  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text)), false); }
  virtual void close(const std::string& reason) = 0;
  [[nodiscard]] virtual const std::string& address() const = 0;
  [[nodiscard]] virtual const Visitor& visitor() const = 0;
  // Of messages that are queued for it.
  [[nodiscard]] virtual std::size_t unread_bytes() const = 0;
};

struct WebHandlers {
  std::function<void(WebPeer&)> opened;
  std::function<void(WebPeer&, std::string_view)> message;
  std::function<void(WebPeer&)> closed;
  std::function<HttpReply(std::string_view path)> get;
  // Before all of these: who it is, or what it is answered. Without it everybody is let in.
  std::function<std::variant<Visitor, HttpReply>(const WebRequest&)> admit = {};
};

struct WebLimits {
  std::size_t connections = 512;          // more are closed at once
  std::size_t kept_free = 64;             // of these, for who has been let in or is on this host
  std::size_t strangers_of_network = 32;  // from another host and not let in yet; the oldest goes for the next
  std::size_t of_token = 64;              // that one token lets in: a seventh of what kept_free leaves
  std::size_t unread_bytes = std::size_t{4} << 20U;  // of a peer that reads too slowly; more, and it is disconnected
  std::chrono::milliseconds request{10'000};         // for an HTTP request and its answer, the TLS handshake included
  std::chrono::milliseconds silence{20'000};         // of a WebSocket peer that does not answer pings either
};

struct WebSecurity {
  // With it other hosts must use TLS, and a server off loopback also listens on 127.0.0.1.
  std::optional<CertificateFiles> certificate = {};
  bool trust_this_host = true;  // false: who is on loopback is treated like others; for tests
  // That a request may call this server by, beside what OwnNames and the certificate know.
  std::vector<std::string> names = {};
  std::string name_mend = {};  // how such a name is added, in words
};

class WebServer {
public:
  // A port in use is an error that names it.
  static Result<std::unique_ptr<WebServer>> listen(boost::asio::io_context& io, const std::string& host,
                                                   std::uint16_t port, WebHandlers handlers, WebLimits limits = {},
                                                   const WebSecurity& security = {});
  virtual ~WebServer() = default;  // closes every connection without calling handlers
};

}  // namespace lw
