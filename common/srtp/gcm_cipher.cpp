#include "common/srtp/gcm_cipher.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace lw {
namespace {

struct FreeCipher {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
};

const unsigned char* octets(const std::byte* data) { return reinterpret_cast<const unsigned char*>(data); }

}  // namespace

void GcmCipher::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

GcmCipher::GcmCipher(evp_cipher_ctx_st* context)
    : context_(context),
      tag_{OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, nullptr, tag_bytes),
           OSSL_PARAM_construct_end()} {}

OSSL_PARAM* GcmCipher::tag_at(std::byte* tag) {
  tag_[0].data = tag;
  return tag_.data();
}

std::optional<GcmCipher> GcmCipher::create(std::span<const unsigned char, key_bytes> key, Direction direction) {
  static const std::unique_ptr<EVP_CIPHER, FreeCipher> aes(EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr));
  GcmCipher cipher(EVP_CIPHER_CTX_new());
  const int seals = direction == Direction::sealing ? 1 : 0;
  if (!aes || !cipher.context_ ||
      EVP_CipherInit_ex2(cipher.context_.get(), aes.get(), key.data(), nullptr, seals, nullptr) != 1)
    return std::nullopt;
  return cipher;
}

bool GcmCipher::begin_sealing(const Iv& iv) {
  return EVP_EncryptInit_ex2(context_.get(), nullptr, nullptr, iv.data(), nullptr) == 1;
}

bool GcmCipher::begin_opening(const Iv& iv, const std::byte* tag) {
  return EVP_DecryptInit_ex2(context_.get(), nullptr, nullptr, iv.data(), tag_at(const_cast<std::byte*>(tag))) == 1;
}

bool GcmCipher::authenticate(std::span<const std::byte> data) {
  int bytes = 0;
  return EVP_CipherUpdate(context_.get(), nullptr, &bytes, octets(data.data()), static_cast<int>(data.size())) == 1;
}

bool GcmCipher::cipher(std::span<const std::byte> text, std::byte* to) {
  int bytes = 0;
  return EVP_CipherUpdate(context_.get(), reinterpret_cast<unsigned char*>(to), &bytes, octets(text.data()),
                          static_cast<int>(text.size())) == 1;
}

bool GcmCipher::finish_sealing(std::byte* tag) {
  unsigned char none = 0;
  int bytes = 0;
  return EVP_EncryptFinal_ex(context_.get(), &none, &bytes) == 1 &&
         EVP_CIPHER_CTX_get_params(context_.get(), tag_at(tag)) == 1;
}

bool GcmCipher::finish_opening() {
  unsigned char none = 0;
  int bytes = 0;
  return EVP_DecryptFinal_ex(context_.get(), &none, &bytes) == 1;
}

}  // namespace lw
