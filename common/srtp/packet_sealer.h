// Encrypts and authenticates outgoing packets. Every 65,536 packets of a stream, and every start of the program, use a
// new key: its id is 6 random octets and a count, so that a receiver that joins late, or missed tens of thousands of
// packets, does not need to know a roll-over counter (RFC 3711 section 3.3.1).
//
// One thread. Allocates only when a stream begins and with each new key.
#pragma once

#include "common/net/datagram_sender.h"
#include "common/srtp/media_key.h"
#include "common/srtp/srtp_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lw {

class PacketSealer {
public:
  // How much packets grow.
  static constexpr std::size_t media_growth = SrtpContext::tag_bytes + SrtpContext::id_bytes;
  static constexpr std::size_t rtcp_growth = media_growth + SrtpContext::rtcp_index_bytes;

  explicit PacketSealer(const MediaKey& key) : key_(key) {}

  // The encrypted RTP packets of the run, up to the first that cannot be encrypted. The first piece of each contains
  // its complete header. They stay in this object's memory, one behind the other, until the next call.
  std::span<const DatagramPieces> seal(std::span<const DatagramPieces> run);
  // The same for an RTCP compound; empty if it cannot be encrypted.
  std::span<const std::byte> seal_rtcp(std::span<const std::byte> compound);

private:
  // Packets of one SSRC, whose sequence numbers only grow.
  struct Stream {
    std::uint32_t ssrc = 0;
    SrtpContext::Id id{};
    std::uint16_t last = 0;  // sequence number
    std::unique_ptr<SrtpContext> context = {};
  };

  Stream* stream_of(const DatagramPieces& packet);
  bool renew(Stream& stream);

  const MediaKey key_;
  std::vector<Stream> streams_;
  Stream rtcp_;
  std::uint32_t compounds_ = 0;    // encrypted with the key of rtcp_
  std::vector<std::byte> memory_;  // encrypted to here from where the pieces are
  std::vector<DatagramPieces> sealed_;
};

}  // namespace lw
