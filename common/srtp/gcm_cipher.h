// AES-256-GCM by OpenSSL, with one key and for one direction. The key schedule and the tables of the authentication are
// made once: a message costs a new IV, and allocates nothing.
//
// A message is begin(), authenticate() for what is only authenticated, cipher() for each piece of the text, and then
// the tag. One thread. Inside common/srtp only.
#pragma once

#include <openssl/core.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

struct evp_cipher_ctx_st;

namespace lw {

class GcmCipher {
public:
  static constexpr std::size_t key_bytes = 32;
  static constexpr std::size_t tag_bytes = 16;
  using Iv = std::array<unsigned char, 12>;
  enum class Direction : unsigned char { sealing, opening };

  static std::optional<GcmCipher> create(std::span<const unsigned char, key_bytes> key, Direction direction);

  // An IV must never be used for two messages with the same key.
  bool begin_sealing(const Iv& iv);
  // `tag`: at the end of the message; it must match.
  bool begin_opening(const Iv& iv, const std::byte* tag);
  bool authenticate(std::span<const std::byte> data);
  // As many octets to `to`, which may be where `text` is.
  bool cipher(std::span<const std::byte> text, std::byte* to);
  bool finish_sealing(std::byte* tag);
  // False if the message is not authentic.
  bool finish_opening();

private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  explicit GcmCipher(evp_cipher_ctx_st* context);
  OSSL_PARAM* tag_at(std::byte* tag);

  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
  std::array<OSSL_PARAM, 2> tag_;  // where it is, as OpenSSL wants to be asked
};

}  // namespace lw
