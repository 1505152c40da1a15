// A TCP stream that is plain or TLS: a single type, so that the layers above it (HTTP, WebSocket) are written and
// compiled once, and TLS stays in here. Inside common/web only.
#pragma once

#include "common/web/tls.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lw {

class WebStream {
public:
  using Tcp = boost::beast::tcp_stream;
  using next_layer_type = Tcp;
  using executor_type = Tcp::executor_type;
  using Ended = std::function<void(boost::system::error_code)>;
  using Moved = std::function<void(boost::system::error_code, std::size_t bytes)>;

  explicit WebStream(boost::asio::ip::tcp::socket socket);
  explicit WebStream(boost::asio::io_context& io);
  ~WebStream();

  executor_type get_executor() noexcept { return next_layer().get_executor(); }
  Tcp& next_layer();
  [[nodiscard]] const Tcp& next_layer() const;

  [[nodiscard]] bool is_secure() const { return tls_ != nullptr; }
  // As a server; `begun` was already read; the handshake reports how much of it belonged to TLS.
  void accept_tls(const TlsContext& context, boost::asio::const_buffer begun, Moved done);
  // As a client. `host`: the name that the certificate must have; empty: any.
  void connect_tls(const TlsContext& context, const std::string& host, Ended done);
  void end_tls(Ended done);
  [[nodiscard]] std::string peer_fingerprint() const;

  // Required by Asio for streams.
  template <class Buffers, class Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(boost::system::error_code, std::size_t)>(
        [this](auto handle, const Buffers& into) { read_some(first_of(into), erased(std::move(handle))); }, handler,
        buffers);
  }
  template <class Buffers, class Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(boost::system::error_code, std::size_t)>(
        [this](auto handle, const Buffers& from) {
          write_some({boost::asio::buffer_sequence_begin(from), boost::asio::buffer_sequence_end(from)},
                     erased(std::move(handle)));
        },
        handler, buffers);
  }

private:
  struct Tls;

  template <class Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& buffers) {
    for (auto it = boost::asio::buffer_sequence_begin(buffers); it != boost::asio::buffer_sequence_end(buffers); ++it)
      if (const boost::asio::mutable_buffer buffer(*it); buffer.size() > 0) return buffer;
    return {};
  }
  // Handlers can only be moved, but std::function requires copies.
  template <class Handler>
  static Moved erased(Handler handler) {
    return [shared = std::make_shared<Handler>(std::move(handler))](boost::system::error_code error,
                                                                    std::size_t bytes) { (*shared)(error, bytes); };
  }
  void read_some(boost::asio::mutable_buffer into, Moved done);
  void write_some(const std::vector<boost::asio::const_buffer>& from, Moved done);

  Tcp plain_;  // moves into tls_
  std::unique_ptr<Tls> tls_;
};

// How Beast ends a WebSocket. Its close frames have confirmed that all was sent; TLS need not confirm it again.
template <class Handler>
void async_teardown(boost::beast::role_type role, WebStream& stream, Handler&& handler) {
  async_teardown(role, stream.next_layer(), std::forward<Handler>(handler));
}

}  // namespace lw
