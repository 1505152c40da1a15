// Makes the parity packets of a flow's frames (common/fec, common/wire/parity_packet.h). Encodes the groups little by
// little while the frame's own packets leave, so that no packet waits for a complete frame's parity. One thread (the
// flow's); allocates in lay_out only.
//
// Only packets that are handed to the kernel take a number of the parity stream, so a gap at the receiver is a lost
// packet. A frame that is dropped midway leaves the rest of its numbers to the next frame. Where two servers send the
// same packets, numbers follow from the frame instead.
#pragma once

#include "common/base/cache_lines.h"
#include "common/fec/reed_solomon.h"
#include "common/net/datagram_sender.h"
#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"
#include "server/send/stream_numbers.h"

#include <optional>
#include <span>
#include <vector>

namespace lw {

class ParityEncoder {
public:
  ParityEncoder(FecStrength strength, const StreamNumbers& numbers);
  void begin_stream(const StreamNumbers& numbers);

  // For frames cut into these packets, in the stream `media_ssrc`.
  void lay_out(const PacketTemplates& templates, std::uint32_t media_ssrc);
  // Begins a frame. The pixels of its band must stay in place until its last parity packet has been sent.
  // `number`: of its first parity packet; empty: that after the newest one sent.
  void begin(const FrameStamp& stamp, std::uint32_t first_sequence, const BandPixels& band,
             std::optional<std::uint16_t> number = {});
  // The frame's own packets before this index have left: encodes the same share of the groups.
  void encode_for(std::size_t packets_sent);
  // The frame's first `count` parity packets have been handed to the kernel.
  void sent(std::size_t count) { sequence_ = static_cast<std::uint16_t>(first_parity_ + count); }
  // In the order of sending, after the frame's own packets. All groups must be encoded.
  [[nodiscard]] std::span<const DatagramPieces> datagrams() const {
    return std::span(datagrams_).first(groups_.parity_packets());
  }
  // Of the newest frame.
  [[nodiscard]] const FecGroups& groups() const { return groups_; }

private:
  void encode_group(std::size_t group);

  const FecStrength strength_;
  FecGroups groups_;
  std::optional<ReedSolomon> code_;
  const PacketTemplates* templates_ = nullptr;
  std::size_t symbol_bytes_ = 0;
  std::uint32_t media_ssrc_ = 0;
  std::uint32_t ssrc_;
  std::uint16_t sequence_;                 // of the next parity packet to be sent
  CacheLines memory_;                      // a header and a symbol for each parity packet
  std::vector<DatagramPieces> datagrams_;  // as many as the longest frame has
  std::vector<ReedSolomon::Symbol> data_;
  std::vector<std::byte*> parity_;

  FrameStamp stamp_;
  std::uint16_t frame_tag_ = 0;
  std::uint32_t first_sequence_ = 0;
  std::uint16_t first_parity_ = 0;
  BandPixels band_;
  std::size_t encoded_ = 0;  // groups
};

}  // namespace lw
