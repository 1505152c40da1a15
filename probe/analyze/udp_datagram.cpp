#include "probe/analyze/udp_datagram.h"

#include <arpa/inet.h>

#include <boost/endian/conversion.hpp>

#include <algorithm>

namespace lw {
namespace {

using Bytes = std::span<const std::byte>;

// Link types of https://www.tcpdump.org/linktypes.html.
constexpr std::uint32_t link_null = 0, link_ethernet = 1, link_raw = 101, link_linux_sll = 113, link_ipv4 = 228,
                        link_ipv6 = 229, link_linux_sll2 = 276;
constexpr std::uint16_t type_ipv4 = 0x0800, type_ipv6 = 0x86dd, type_vlan = 0x8100, type_service_vlan = 0x88a8;
constexpr unsigned protocol_udp = 17;

std::uint16_t big16(Bytes bytes, std::size_t at) {
  return boost::endian::load_big_u16(reinterpret_cast<const unsigned char*>(bytes.data() + at));
}
unsigned octet(Bytes bytes, std::size_t at) { return std::to_integer<unsigned>(bytes[at]); }

Bytes after(Bytes bytes, std::size_t count) { return bytes.size() < count ? Bytes{} : bytes.subspan(count); }

// The data after a link header whose type field is at `type_at`, and after VLAN tags.
Bytes ip_behind(Bytes frame, std::size_t type_at) {
  constexpr std::size_t tag = 4;
  while (frame.size() >= type_at + 2) {
    const auto type = big16(frame, type_at);
    if (type == type_ipv4 || type == type_ipv6) return frame.subspan(type_at + 2);
    if (type != type_vlan && type != type_service_vlan) return {};
    type_at += tag;
  }
  return {};
}

Bytes ip_in(const CapturedPacket& packet) {
  switch (packet.link_type) {
    case link_null:
      return after(packet.bytes, 4);
    case link_ethernet:
      return ip_behind(packet.bytes, 12);
    case link_linux_sll:
      return ip_behind(packet.bytes, 14);
    case link_linux_sll2:  // the type comes first, then 18 bytes more
      return packet.bytes.size() >= 20 && (big16(packet.bytes, 0) == type_ipv4 || big16(packet.bytes, 0) == type_ipv6)
                 ? packet.bytes.subspan(20)
                 : Bytes{};
    case link_raw:
    case link_ipv4:
    case link_ipv6:
      return packet.bytes;
    default:
      return {};
  }
}

struct Ip {
  UdpEndpoint from, to;
  Bytes udp;
};

std::optional<Ip> ipv4_udp(Bytes ip) {
  constexpr std::size_t least = 20;
  if (ip.size() < least) return {};
  const std::size_t header = (octet(ip, 0) & 0xfU) * 4;
  const bool fragment = (big16(ip, 6) & 0x3fffU) != 0;
  if (header < least || fragment || octet(ip, 9) != protocol_udp) return {};
  Ip found;
  std::copy_n(ip.begin() + 12, 4, found.from.host.begin());
  std::copy_n(ip.begin() + 16, 4, found.to.host.begin());
  found.udp = after(ip, header);
  return found;
}

std::optional<Ip> ipv6_udp(Bytes ip) {
  constexpr std::size_t header = 40;
  if (ip.size() < header || octet(ip, 6) != protocol_udp) return {};
  Ip found;
  found.from.ipv6 = found.to.ipv6 = true;
  std::copy_n(ip.begin() + 8, 16, found.from.host.begin());
  std::copy_n(ip.begin() + 24, 16, found.to.host.begin());
  found.udp = ip.subspan(header);
  return found;
}

}  // namespace

std::string UdpEndpoint::text() const {
  std::array<char, INET6_ADDRSTRLEN> name{};
  inet_ntop(ipv6 ? AF_INET6 : AF_INET, host.data(), name.data(), name.size());
  return (ipv6 ? "[" + std::string(name.data()) + "]" : std::string(name.data())) + ":" + std::to_string(port);
}

std::optional<UdpDatagram> udp_in(const CapturedPacket& packet) {
  constexpr std::size_t header = 8;
  const auto ip = ip_in(packet);
  if (ip.empty()) return {};
  const auto version = octet(ip, 0) >> 4U;
  auto found = version == 4 ? ipv4_udp(ip) : version == 6 ? ipv6_udp(ip) : std::nullopt;
  if (!found || found->udp.size() < header) return {};
  const std::size_t length = big16(found->udp, 4);
  if (length < header) return {};
  found->from.port = big16(found->udp, 0);
  found->to.port = big16(found->udp, 2);
  const auto payload = found->udp.subspan(header);
  return UdpDatagram{found->from, found->to, payload.first(std::min(payload.size(), length - header)), length - header};
}

}  // namespace lw
