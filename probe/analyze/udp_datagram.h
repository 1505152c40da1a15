// The UDP datagram in a captured frame. Pure and bounds-checked. (Fuzzed.)
#pragma once

#include "probe/analyze/capture.h"

#include <array>
#include <compare>
#include <optional>
#include <string>

namespace lw {

struct UdpEndpoint {
  std::array<std::byte, 16> host{};  // IPv4: the first 4
  bool ipv6 = false;
  std::uint16_t port = 0;

  auto operator<=>(const UdpEndpoint&) const = default;
  [[nodiscard]] std::string text() const;  // "10.0.0.1:5000"
};

struct UdpDatagram {
  UdpEndpoint from, to;
  std::span<const std::byte> payload;  // the captured part
  std::size_t payload_bytes = 0;       // on the wire
};

// Empty for frames without one: other protocols, fragments, unknown link types.
std::optional<UdpDatagram> udp_in(const CapturedPacket& packet);

}  // namespace lw
