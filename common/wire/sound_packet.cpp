#include "common/wire/sound_packet.h"

#include <boost/endian/conversion.hpp>

#include <cassert>

namespace lw {
namespace {

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

constexpr unsigned version_2 = 0x80;

const unsigned char* bytes_of(std::span<const std::byte> from) {
  return reinterpret_cast<const unsigned char*>(from.data());
}

}  // namespace

void write_header(const SoundHeader& header, std::span<std::byte, sound_header_bytes> out) {
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  to[0] = version_2;
  to[1] = static_cast<unsigned char>(sound_payload_type(header.channels));
  store_big_u16(to + 2, header.sequence);
  store_big_u32(to + 4, header.timestamp);
  store_big_u32(to + 8, header.ssrc);
}

void write_samples(std::span<const std::int32_t> samples, std::byte* out) {
  for (const auto sample : samples) {
    const auto bits = static_cast<std::uint32_t>(sample);
    *out++ = static_cast<std::byte>(bits >> 24U);
    *out++ = static_cast<std::byte>(bits >> 16U);
    *out++ = static_cast<std::byte>(bits >> 8U);
  }
}

void read_samples(std::span<const std::byte> payload, std::int32_t* out) {
  assert(payload.size() % sound_sample_bytes == 0);
  for (std::size_t i = 0; i < payload.size(); i += sound_sample_bytes)
    *out++ = static_cast<std::int32_t>(std::to_integer<std::uint32_t>(payload[i]) << 24U |
                                       std::to_integer<std::uint32_t>(payload[i + 1]) << 16U |
                                       std::to_integer<std::uint32_t>(payload[i + 2]) << 8U);
}

std::string_view parse_sound(std::span<const std::byte> datagram, SoundPacket& out) {
  if (datagram.size() < sound_header_bytes) return "shorter than an RTP header";
  const auto* from = bytes_of(datagram);
  if (from[0] != version_2) return "not RTP of version 2 without padding, extension and sources";
  const unsigned type = from[1] & 0x7fU;
  if (type <= sound_payload_type(0) || type > sound_payload_type(sound_channels_max))
    return "not a payload type of sound";
  out.header = {type - sound_payload_type(0), load_big_u16(from + 2), load_big_u32(from + 4), load_big_u32(from + 8)};
  out.payload = datagram.subspan(sound_header_bytes);
  if (out.payload.size() != sound_payload_bytes(out.header.channels)) return "not one millisecond of sound";
  return {};
}

}  // namespace lw
