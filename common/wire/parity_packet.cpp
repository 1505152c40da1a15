#include "common/wire/parity_packet.h"

#include "common/wire/internet_checksum.h"
#include "common/wire/ntp_time.h"

#include <cstring>

namespace lw {
namespace {

using wire::big_uint16_buf_t;
using wire::big_uint32_buf_t;
using wire::big_uint64_buf_t;

struct Header {
  wire::RtpHeader rtp;
  big_uint32_buf_t media_ssrc;
  big_uint32_buf_t first_sequence;
  big_uint32_buf_t packets;
  big_uint16_buf_t groups;
  big_uint16_buf_t group;
  std::uint8_t parity;
  std::uint8_t row;
  big_uint16_buf_t symbol_bytes;
  big_uint64_buf_t ntp;
  big_uint16_buf_t check;
  big_uint16_buf_t frame_tag;
};
static_assert(sizeof(Header) == wire::parity_header_bytes && alignof(Header) == 1);

}  // namespace

std::uint16_t frame_tag(const FrameStamp& stamp) {
  const auto all = std::uint64_t{stamp.frame} << 32U | std::uint64_t{stamp.generation} << 16U | stamp.tick;
  const auto tag = static_cast<std::uint16_t>((all * 0x9e37'79b9'7f4a'7c15U) >> 48U);  // 2^64 by the golden ratio
  return tag == 0 ? std::uint16_t{1} : tag;
}

std::size_t symbol_bytes_of(const PacketTemplates& templates) {
  return templates.datagram_bytes() - wire::parity_header_bytes;
}

void write_parity_header(const ParityPacket& packet, std::span<std::byte, wire::parity_header_bytes> out) {
  Header header{};
  header.rtp.version_padding_extension_count = 0x80;
  header.rtp.marker_payload_type =
      static_cast<std::uint8_t>(wire::parity_payload_type | (packet.varies ? wire::marker_bit : 0U));
  header.rtp.sequence = packet.sequence;
  header.rtp.timestamp = packet.timestamp;
  header.rtp.ssrc = packet.ssrc;
  header.media_ssrc = packet.media_ssrc;
  header.first_sequence = packet.first_sequence;
  header.packets = packet.packets;
  header.groups = packet.groups;
  header.group = packet.group;
  header.parity = packet.parity;
  header.row = packet.row;
  header.symbol_bytes = static_cast<std::uint16_t>(packet.symbol.size());
  header.ntp = to_ntp(packet.media_time);
  header.frame_tag = packet.frame_tag;
  header.check = 0;
  std::memcpy(out.data(), &header, sizeof(header));
  header.check = static_cast<std::uint16_t>(~folded(sum_of_words(out.data(), out.size())));
  std::memcpy(out.data(), &header, sizeof(header));
}

bool is_parity(std::span<const std::byte> datagram) {
  return datagram.size() >= 2 && (std::to_integer<unsigned>(datagram[1]) & 0x7fU) == wire::parity_payload_type;
}

std::string_view parse_parity_packet(std::span<const std::byte> datagram, ParityPacket& out) {
  if (datagram.size() < sizeof(Header)) return "shorter than its header";
  if (!checksum_holds(datagram.data(), sizeof(Header))) return "header check does not hold";
  Header header;
  std::memcpy(&header, datagram.data(), sizeof(header));
  if (header.rtp.version_padding_extension_count != 0x80) return "not RTP version 2, or with extensions";
  out = ParityPacket{};
  out.ssrc = header.rtp.ssrc.value();
  out.sequence = header.rtp.sequence.value();
  out.timestamp = header.rtp.timestamp.value();
  out.media_ssrc = header.media_ssrc.value();
  out.first_sequence = header.first_sequence.value();
  out.packets = header.packets.value();
  out.groups = header.groups.value();
  out.group = header.group.value();
  out.parity = header.parity;
  out.row = header.row;
  out.media_time = from_ntp(header.ntp.value());
  out.frame_tag = header.frame_tag.value();
  out.varies = (header.rtp.marker_payload_type & wire::marker_bit) != 0;
  if (out.packets == 0 || out.groups == 0 || out.groups > out.packets)
    return "groups and packets that contradict each other";
  if (out.group >= out.groups || out.row >= out.parity) return "a group or row that does not exist";
  if (header.symbol_bytes.value() == 0 || datagram.size() - sizeof(Header) < header.symbol_bytes.value())
    return "a symbol longer than the packet";
  out.symbol = datagram.subspan(sizeof(Header), header.symbol_bytes.value());
  return {};
}

}  // namespace lw
