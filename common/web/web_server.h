// One TCP port for WebSocket messages, HTTP GET, and HTTP POST by its own pages, with and without TLS. One thread: the
// caller's io_context's, on which every handler is called.
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
  // Queues a text message. `droppable` messages (statistics) are skipped for a peer that reads too slowly; a peer with
  // more than WebLimits::unread_bytes queued is disconnected. Its requests are not read while more than 1 MiB is
  // queued, so that answers alone cannot cause that, however much it requests at once.
  virtual void send(std::shared_ptr<const std::string> text, bool droppable) = 0;
  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text)), false); }
  virtual void close(const std::string& reason) = 0;
  [[nodiscard]] virtual const std::string& address() const = 0;
  [[nodiscard]] virtual const Visitor& visitor() const = 0;
  // Of messages queued for it.
  [[nodiscard]] virtual std::size_t unread_bytes() const = 0;
};

struct WebHandlers {
  std::function<void(WebPeer&)> opened;
  std::function<void(WebPeer&, std::string_view)> message;
  std::function<void(WebPeer&)> closed;
  std::function<HttpReply(std::string_view path)> get;
  // Called before all of these: the client's identity, or the answer that rejects it. If empty, everybody is admitted.
  std::function<std::variant<Visitor, HttpReply>(const WebRequest&)> admit = {};
  // Of a page that this port served. If empty, the port serves no pages, and refuses requests of pages.
  std::function<HttpReply(const WebRequest&, std::string_view body)> post = {};
};

struct WebLimits {
  std::size_t connections = 512;          // any more are closed at once
  std::size_t kept_free = 64;             // of these, reserved for admitted clients and for this host
  std::size_t strangers_of_network = 32;  // not yet admitted, from another network; the oldest is closed for the next
  std::size_t of_token = 64;              // admitted by one token: a seventh of what kept_free leaves
  std::size_t body_bytes = 1024;          // of a POST
  std::size_t unread_bytes = std::size_t{4} << 20U;  // of a peer that reads too slowly; it is disconnected beyond that
  std::chrono::milliseconds request{10'000};         // for an HTTP request and its answer, including the TLS handshake
  std::chrono::milliseconds silence{20'000};         // of a WebSocket peer that does not answer pings either
};

struct WebSecurity {
  // With a certificate, other hosts must use TLS, and a server off loopback also listens on 127.0.0.1.
  std::optional<CertificateFiles> certificate = {};
  bool trust_this_host = true;  // false: clients on loopback are treated like others; for tests
  // Further names in a request's Host, besides those known to OwnNames and in the certificate.
  std::vector<std::string> names = {};
  std::string name_mend = {};  // how to add such a name, as a text
  // Numeric addresses and ports where it listens as well, also while this host does not have the address.
  std::vector<std::pair<std::string, std::uint16_t>> moving = {};
};

class WebServer {
public:
  // If the port is in use, the error names it.
  static Result<std::unique_ptr<WebServer>> listen(boost::asio::io_context& io, const std::string& host,
                                                   std::uint16_t port, WebHandlers handlers, WebLimits limits = {},
                                                   const WebSecurity& security = {});
  virtual ~WebServer() = default;  // closes every connection without calling handlers
};

}  // namespace lw
