// Owners of OpenSSL objects. Inside common/access and common/web only.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <string>

namespace lw {

template <auto Free>
struct OpensslFree {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using BioHandle = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using KeyHandle = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using X509Handle = std::unique_ptr<X509, OpensslFree<X509_free>>;

std::string fingerprint_of(const X509& certificate);

// The newest error of this thread, as OpenSSL's text.
inline std::string openssl_error() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return text.data();
}

}  // namespace lw
