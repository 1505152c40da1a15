// Authenticates and decrypts packets from senders that have the media key. Keys are derived from the ids in the
// packets; a packet that does not match its id changes nothing. One thread.
#pragma once

#include "common/base/units.h"
#include "common/net/flood_limit.h"
#include "common/srtp/media_key.h"
#include "common/srtp/srtp_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lw {

class PacketOpener {
public:
  using Fate = SrtpContext::Fate;

  explicit PacketOpener(const MediaKey& key) : key_(key) {}

  // Decrypts in place: after `done`, `packet` is the original packet. (Fuzzed.)
  Fate open(std::span<std::byte>& packet, LocalTime now) { return open(SrtpContext::Kind::media, packet, now); }
  Fate open_rtcp(std::span<std::byte>& packet, LocalTime now) { return open(SrtpContext::Kind::rtcp, packet, now); }

private:
  // A flow's media, resends and parity from two servers, two keys each when one follows the other, and room for a new
  // stream.
  static constexpr std::size_t known_max = 16;
  // Deriving a key takes as long as decrypting several packets, and allocates: a flood of made-up ids must not delay
  // the flow. A stream of four million packets a second needs 64.
  static constexpr double keys_per_second_max = 500;
  static constexpr double keys_at_once_max = 50;

  // Packets of one SSRC with one id: an id may have more than one stream, each with its own numbers.
  struct Known {
    SrtpContext::Id id{};
    std::uint32_t ssrc = 0;
    std::unique_ptr<SrtpContext> context = {};
    std::uint64_t used = 0;
  };

  Fate open(SrtpContext::Kind kind, std::span<std::byte>& packet, LocalTime now);
  Known* find(const SrtpContext::Id& id, std::uint32_t ssrc);

  const MediaKey key_;
  std::array<Known, known_max> known_;
  std::size_t latest_ = 0;  // in known_: that of the packet before
  std::uint64_t uses_ = 0;
  FloodLimit limit_{keys_per_second_max, keys_at_once_max};
};

}  // namespace lw
