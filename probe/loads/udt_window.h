// Sizes of UDT's packets and windows. The library counts windows in packets, and keeps sizes of buffers in an int.
#pragma once

#include <cstddef>
#include <limits>

namespace lw {

inline constexpr unsigned udt_header_bytes = 16;        // draft-gg-udt-03 section 3.1
inline constexpr unsigned udt_window_packets_min = 32;  // the library makes smaller windows as large as this
inline constexpr unsigned udt_window_packets_usual = 8192;

// What a packet carries. `datagram_bytes`: UDP payload.
constexpr std::size_t udt_packet_bytes(unsigned datagram_bytes) { return datagram_bytes - udt_header_bytes; }

// Smallest and largest window of a flow.
constexpr std::size_t udt_window_bytes_min(unsigned datagram_bytes) {
  return udt_window_packets_min * udt_packet_bytes(datagram_bytes);
}
constexpr std::size_t udt_window_bytes_max(unsigned datagram_bytes) {
  return std::numeric_limits<int>::max() / datagram_bytes * udt_packet_bytes(datagram_bytes);
}

// Memory for the buffer of one end. `window_bytes` 0: the library's.
constexpr std::size_t udt_buffer_bytes(std::size_t window_bytes, unsigned datagram_bytes) {
  return window_bytes > 0 ? window_bytes : std::size_t{udt_window_packets_usual} * datagram_bytes;
}

}  // namespace lw
