#include "common/web/tls.h"

#include <openssl/ssl.h>
#include <boost/asio/ssl/context.hpp>

namespace lw {
namespace {

namespace ssl = boost::asio::ssl;

TlsContext context(ssl::context::method method) {
  auto made = std::make_shared<ssl::context>(method);
  auto* raw = made->native_handle();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20");  // for TLS 1.2; all ciphers of 1.3 are good
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return made;
}

}  // namespace

Result<TlsContext> server_tls(const CertificateFiles& files) {
  auto made = context(ssl::context::tls_server);
  boost::system::error_code error;
  made->use_certificate_chain_file(files.certificate.string(), error);
  if (error)
    return Error{"cannot use the certificate " + files.certificate.string() + ": " + error.message(),
                 "correct --certificate"};
  made->use_private_key_file(files.key.string(), ssl::context::pem, error);
  if (!error && SSL_CTX_check_private_key(made->native_handle()) != 1)
    return Error{files.key.string() + " is not the key of " + files.certificate.string(), "correct --key"};
  if (error) return Error{"cannot use the key " + files.key.string() + ": " + error.message(), "correct --key"};
  return made;
}

Result<TlsContext> client_tls(const std::filesystem::path& ca) {
  auto made = context(ssl::context::tls_client);
  if (ca.empty()) {
    made->set_verify_mode(ssl::verify_none);
    return made;
  }
  made->set_verify_mode(ssl::verify_peer);
  boost::system::error_code error;
  made->load_verify_file(ca.string(), error);
  if (error) return Error{"cannot use the CA " + ca.string() + ": " + error.message(), "correct --ca"};
  return made;
}

}  // namespace lw
