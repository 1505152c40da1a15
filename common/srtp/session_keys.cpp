#include "common/srtp/session_keys.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>

namespace lw {
namespace {

constexpr std::string_view key_purpose = "lambdawall media 1";

// RFC 3711 section 4.3.2. GCM has no authentication keys.
enum class Label : unsigned char { media_key = 0, media_salt = 2, rtcp_key = 3, rtcp_salt = 5 };
constexpr std::size_t label_at = 7;  // octet of the salt

struct Free {
  void operator()(EVP_KDF* kdf) const { EVP_KDF_free(kdf); }
  void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

// Key and salt are the start of the key stream of AES-CM, whose first counter is the labelled salt.
bool derive(EVP_CIPHER_CTX& context, const SessionKey& master, Label label, std::span<unsigned char> out) {
  static const std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr));
  std::array<unsigned char, 16> counter{};
  std::ranges::copy(master.salt, counter.begin());
  counter[label_at] ^= static_cast<unsigned char>(label);
  std::ranges::fill(out, static_cast<unsigned char>(0));
  int bytes = 0;
  return cipher && EVP_EncryptInit_ex2(&context, cipher.get(), master.key.data(), counter.data(), nullptr) == 1 &&
         EVP_EncryptUpdate(&context, out.data(), &bytes, out.data(), static_cast<int>(out.size())) == 1;
}

}  // namespace

SessionKey::~SessionKey() {
  OPENSSL_cleanse(key.data(), key.size());
  OPENSSL_cleanse(salt.data(), salt.size());
}

std::optional<SessionKey> master_key_of(const MediaKey& key, const KeyId& id) {
  static const std::unique_ptr<EVP_KDF, Free> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  if (!kdf) return std::nullopt;
  const std::unique_ptr<EVP_KDF_CTX, Free> context(EVP_KDF_CTX_new(kdf.get()));
  if (!context) return std::nullopt;
  const auto octets = [](const char* name, const void* data, std::size_t bytes) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<void*>(data), bytes);
  };
  char digest[] = "SHA256";
  const std::array parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      octets(OSSL_KDF_PARAM_KEY, key.bytes.data(), key.bytes.size()), octets(OSSL_KDF_PARAM_SALT, id.data(), id.size()),
      octets(OSSL_KDF_PARAM_INFO, key_purpose.data(), key_purpose.size()), OSSL_PARAM_construct_end()};
  SessionKey master;
  std::array<unsigned char, sizeof(master.key) + sizeof(master.salt)> out{};
  const bool derived = EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) == 1;
  std::copy_n(out.begin(), master.key.size(), master.key.begin());
  std::copy_n(out.begin() + master.key.size(), master.salt.size(), master.salt.begin());
  OPENSSL_cleanse(out.data(), out.size());
  if (!derived) return std::nullopt;
  return master;
}

std::optional<SessionKeys> session_keys_of(const SessionKey& master) {
  const std::unique_ptr<EVP_CIPHER_CTX, Free> context(EVP_CIPHER_CTX_new());
  SessionKeys keys;
  if (!context || !derive(*context, master, Label::media_key, keys.media.key) ||
      !derive(*context, master, Label::media_salt, keys.media.salt) ||
      !derive(*context, master, Label::rtcp_key, keys.rtcp.key) ||
      !derive(*context, master, Label::rtcp_salt, keys.rtcp.salt))
    return std::nullopt;
  return keys;
}

}  // namespace lw
