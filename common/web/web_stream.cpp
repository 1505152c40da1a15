#include "common/web/web_stream.h"

#include "common/access/openssl_handles.h"

#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

namespace lw {

namespace asio = boost::asio;
using asio::ssl::stream_base;

struct WebStream::Tls {
  Tls(Tcp tcp, TlsContext used) : context(std::move(used)), stream(std::move(tcp), *context) {}
  TlsContext context;
  boost::beast::ssl_stream<Tcp> stream;
};

WebStream::WebStream(asio::ip::tcp::socket socket) : plain_(std::move(socket)) {}
WebStream::WebStream(asio::io_context& io) : plain_(io) {}
WebStream::~WebStream() = default;

WebStream::Tcp& WebStream::next_layer() { return tls_ ? tls_->stream.next_layer() : plain_; }
const WebStream::Tcp& WebStream::next_layer() const { return tls_ ? tls_->stream.next_layer() : plain_; }

void WebStream::accept_tls(const TlsContext& context, asio::const_buffer begun, Moved done) {
  tls_ = std::make_unique<Tls>(std::move(plain_), context);
  // Beast 1.81 should allow omitting the count, but does not.
  tls_->stream.async_handshake(
      stream_base::server, begun,
      [done = std::move(done)](boost::system::error_code error, std::size_t used = 0) { done(error, used); });
}

void WebStream::connect_tls(const TlsContext& context, const std::string& host, Ended done) {
  tls_ = std::make_unique<Tls>(std::move(plain_), context);
  boost::system::error_code error;
  if (!host.empty()) tls_->stream.set_verify_callback(asio::ssl::host_name_verification(host), error);
  if (error) return done(error);
  tls_->stream.async_handshake(stream_base::client, std::move(done));
}

void WebStream::end_tls(Ended done) { tls_->stream.async_shutdown(std::move(done)); }

std::string WebStream::peer_fingerprint() const {
  const auto* certificate = SSL_get0_peer_certificate(tls_->stream.native_handle());
  return certificate == nullptr ? std::string() : fingerprint_of(*certificate);
}

void WebStream::read_some(asio::mutable_buffer into, Moved done) {
  if (tls_)
    tls_->stream.async_read_some(into, std::move(done));
  else
    plain_.async_read_some(into, std::move(done));
}

void WebStream::write_some(const std::vector<asio::const_buffer>& from, Moved done) {
  if (tls_)
    tls_->stream.async_write_some(from, std::move(done));
  else
    plain_.async_write_some(from, std::move(done));
}

}  // namespace lw
