// What a relay changes in a flow's packets: it resends media packets, and answers requests in reports that it forwards.
// Pure. (Fuzzed.)
#pragma once

#include "common/wire/media_packet.h"
#include "common/wire/rtcp.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lw {

// Whether the header of a media packet, which parse_media_packet accepted, is laid out as our senders do it. A relay
// changes only these, because it writes the header's check.
bool has_our_layout(std::span<const std::byte> datagram);

// Writes a media packet as a resend (RFC 4588). `original`: a packet with our layout that parse_media_packet accepted
// as `packet`, and which is not a resend. `ssrc` and `sequence`: of the stream of resends. Returns the bytes used:
// those of the original and wire::resend_bytes, for which `out` has room.
std::size_t write_resend(std::span<const std::byte> original, const MediaPacket& packet, std::uint32_t ssrc,
                         std::uint16_t sequence, std::span<std::byte> out);

// Makes a resend with our layout, which parse_media_packet accepted as `packet`, a packet of another stream of resends.
void move_resend(std::span<std::byte> resend, const MediaPacket& packet, std::uint32_t ssrc, std::uint16_t sequence);

// Copies a compound that parse_rtcp accepted, except for its NACKs: instead it requests `missing` from `source`
// (distinct numbers in ascending order, some of those that the compound requested). Returns the bytes used; 0 if there
// is not enough room.
std::size_t replace_nacks(std::span<const std::byte> compound, std::uint32_t reporter, std::uint32_t source,
                          std::span<const std::int64_t> missing, std::span<std::byte, rtcp_bytes_max> out);

}  // namespace lw
