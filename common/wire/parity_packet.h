// A packet of forward error correction: RTP (RFC 3550) in a separate stream beside the flow's, with a parity symbol of
// a group of the frame's packets (common/fec). It protects their pixels; their headers are known from the layout. As
// long as the frame's other packets, so that the kernel can segment and coalesce it with others of its kind.
//
//   12  RTP fixed header: payload type 100, own SSRC and sequence numbers, timestamp of the frame; the marker says that
//       the frame's format varies in length
//    4  SSRC of the flow
//    4  extended sequence number of the frame's first packet
//    4  packets of the frame
//    2  groups of the frame
//    2  the group
//    1  parity packets of each group
//    1  number of this parity packet
//    2  octets of a symbol
//    8  media time of the frame, 64-bit NTP
//    2  header check (RFC 1071, of all bytes before the symbol)
//    2  frame tag: 0 from senders before it was added
//       symbol
#pragma once

#include "common/fec/fec_groups.h"
#include "common/wire/media_packet.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lw {

namespace wire {

inline constexpr std::uint8_t parity_payload_type = 100;
inline constexpr std::size_t parity_header_bytes = 44;
static_assert(parity_header_bytes == fixed_bytes + sizeof(RowHeader));  // so a full row is as long as a symbol

}  // namespace wire

struct ParityPacket {
  std::uint32_t ssrc = 0;  // of its own stream, and its number there
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  std::uint32_t media_ssrc = 0;
  std::uint32_t first_sequence = 0;
  std::uint32_t packets = 0;
  std::uint16_t groups = 0;
  std::uint16_t group = 0;
  std::uint8_t parity = 0;
  std::uint8_t row = 0;
  WallTime media_time{};
  std::uint16_t frame_tag = 0;  // of the frame's stamp
  bool varies = false;          // in length, as others of the frame's format
  std::span<const std::byte> symbol;
};

// Tells frames apart that have the same number and time, from two servers of which one does not know yet what plays: a
// hash of frame, generation and tick; not 0.
std::uint16_t frame_tag(const FrameStamp& stamp);

// Octets of a symbol for frames cut into these packets, so that a parity packet is as long as they are.
std::size_t symbol_bytes_of(const PacketTemplates& templates);
// Writes the header; `packet.symbol` tells its octets.
void write_parity_header(const ParityPacket& packet, std::span<std::byte, wire::parity_header_bytes> out);
// Whether a datagram's payload type says that it is one.
bool is_parity(std::span<const std::byte> datagram);
// Empty, or why the datagram is not a parity packet. Checks the packet only against itself. (Fuzzed.)
std::string_view parse_parity_packet(std::span<const std::byte> datagram, ParityPacket& out);

}  // namespace lw
