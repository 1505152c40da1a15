// SRTP and SRTCP (RFC 3711) with AES-256-GCM (RFC 7714) and tags of 16 octets, for the packets with one id. Their keys
// are derived from the media key and the id (session_keys), and the id is the packets' MKI: a receiver needs only the
// media key. The roll-over counter is 0: a key encrypts each sequence number at most once.
//
// One thread. Allocates in create() only. Inside common/srtp only.
#pragma once

#include "common/srtp/gcm_cipher.h"
#include "common/srtp/media_key.h"
#include "common/srtp/replay_window.h"
#include "common/srtp/session_keys.h"

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lw {

class SrtpContext {
public:
  static constexpr std::size_t id_bytes = key_id_bytes;
  static constexpr std::size_t tag_bytes = GcmCipher::tag_bytes;
  static constexpr std::size_t rtcp_index_bytes = 4;
  using Id = KeyId;
  using Direction = GcmCipher::Direction;
  enum class Kind : unsigned char { media, rtcp };
  // Where packets have their SSRC.
  static constexpr std::size_t ssrc_at(Kind kind) { return kind == Kind::media ? 8 : 4; }
  enum class Fate : unsigned char { done, repeated, too_old, refused };

  // Null if OpenSSL cannot.
  static std::unique_ptr<SrtpContext> create(const MediaKey& key, const Id& id, Direction direction);
  static std::unique_ptr<SrtpContext> create(const SessionKeys& keys, const Id& id, Direction direction);

  // Encrypts a packet in pieces to `to`, where it has room to grow, and returns its new size. The first piece contains
  // the complete RTP header with its extension. 0: it is not an RTP packet, or its sequence number is not above that of
  // the packet before it.
  std::size_t seal(std::span<const iovec> packet, std::byte* to);
  // The same for an RTCP compound. 0 if it is too short, or after 2^31 - 1 of them.
  std::size_t seal_rtcp(std::span<const std::byte> compound, std::byte* to);
  // Decrypts in place: `packet` becomes the original packet. After a failure its content is meaningless, and nothing
  // else has changed.
  Fate open(Kind kind, std::span<std::byte>& packet);

private:
  // Of one kind of packets.
  struct Half {
    Half(GcmCipher&& own, const SessionKey& key, std::uint64_t first);
    [[nodiscard]] GcmCipher::Iv iv_of(const std::byte* ssrc, std::uint32_t number) const;

    GcmCipher cipher;
    std::uint64_t salt_begin;  // as numbers, because a vector loaded behind stores of octets waits for them
    std::uint32_t salt_end;
    std::uint64_t next;  // the lowest number that may still be encrypted
    ReplayWindow accepted = {};
  };

  SrtpContext(Half&& media, Half&& rtcp, const Id& id);
  // `bytes`: of the original packet.
  Fate open_media(std::span<std::byte> packet, std::size_t& bytes);
  Fate open_rtcp(std::span<std::byte> packet, std::size_t& bytes);

  Half media_;
  Half rtcp_;
  const Id id_;
};

}  // namespace lw
