// The keys of the packets with one id: HKDF (RFC 5869) of the media key, then the key derivation of RFC 3711 section
// 4.3 with AES-256 (RFC 6188) and salts of 12 octets (RFC 7714 section 11). Inside common/srtp only.
#pragma once

#include "common/srtp/media_key.h"

#include <array>
#include <cstddef>
#include <optional>

namespace lw {

constexpr std::size_t key_id_bytes = 8;
using KeyId = std::array<unsigned char, key_id_bytes>;

// Of one kind of packets.
struct SessionKey {
  SessionKey() = default;
  SessionKey(const SessionKey&) = default;
  SessionKey& operator=(const SessionKey&) = default;
  ~SessionKey();  // clears it

  std::array<unsigned char, 32> key{};
  std::array<unsigned char, 12> salt{};
};

struct SessionKeys {
  SessionKey media;
  SessionKey rtcp;
};

// The master key and salt of RFC 3711.
std::optional<SessionKey> master_key_of(const MediaKey& key, const KeyId& id);
std::optional<SessionKeys> session_keys_of(const SessionKey& master);

}  // namespace lw
