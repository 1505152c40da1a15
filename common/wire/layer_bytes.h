// The bytes that each layer below RTP adds to a packet, for rates at a given layer.
#pragma once

#include <cstddef>

namespace lw::wire {

inline constexpr std::size_t udp_header_bytes = 8;    // RFC 768
inline constexpr std::size_t ipv4_header_bytes = 20;  // RFC 791, without options
inline constexpr std::size_t ipv6_header_bytes = 40;  // RFC 8200
constexpr std::size_t ip_header_bytes(bool ipv6) { return ipv6 ? ipv6_header_bytes : ipv4_header_bytes; }
inline constexpr std::size_t ipv6_fragment_bytes = 8;
// IEEE 802.3: header 14, checksum 4, preamble with the delimiter 8, gap 12; without VLAN tags.
inline constexpr std::size_t ethernet_bytes = 14 + 4 + 8 + 12;

}  // namespace lw::wire
