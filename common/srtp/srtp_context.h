// A libsrtp context for the packets with one id: SRTP (RFC 3711) with AES-256-GCM (RFC 7714) and a tag of 16 octets.
// Its key and salt are derived from the media key and the id (HKDF, RFC 5869), and the id is the packets' MKI: a
// receiver needs only the media key. One thread. Inside common/srtp only.
#pragma once

#include "common/base/result.h"
#include "common/srtp/media_key.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

struct srtp_ctx_t_;

namespace lw {

class SrtpContext {
public:
  static constexpr std::size_t id_bytes = 8;
  static constexpr std::size_t tag_bytes = 16;
  static constexpr std::size_t rtcp_index_bytes = 4;
  using Id = std::array<unsigned char, id_bytes>;
  enum class Direction : unsigned char { sealing, opening };
  enum class Kind : unsigned char { media, rtcp };
  enum class Fate : unsigned char { done, repeated, too_old, refused };

  static std::optional<SrtpContext> create(const MediaKey& key, const Id& id, Direction direction);

  // In place. `room` contains a packet of `bytes` and has space for its growth; `bytes` becomes its new size.
  bool seal(Kind kind, std::span<std::byte> room, std::size_t& bytes);
  // Decrypts in place: `packet` becomes the original packet. After a failure its content is meaningless.
  Fate open(Kind kind, std::span<std::byte>& packet);

private:
  struct Free {
    void operator()(srtp_ctx_t_* context) const;
  };
  explicit SrtpContext(srtp_ctx_t_* context) : context_(context) {}
  std::unique_ptr<srtp_ctx_t_, Free> context_;
};

}  // namespace lw
