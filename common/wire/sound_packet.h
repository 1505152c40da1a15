// A packet of sound: RTP with one millisecond of linear PCM, 24 bits, 48 kHz (RFC 3190, AES67, SMPTE ST 2110-30).
// Sequence number and timestamp follow from the number of its first sample (common/base/sound_time.h). Pure.
#pragma once

#include "common/base/sound_time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lw {

inline constexpr std::int64_t sound_packet_samples = sound_rate / 1000;  // of each channel
inline constexpr std::size_t sound_sample_bytes = 3;
inline constexpr std::size_t sound_header_bytes = 12;  // RTP without extensions
constexpr std::size_t sound_payload_bytes(unsigned channels) {
  return static_cast<std::size_t>(sound_packet_samples) * channels * sound_sample_bytes;
}
inline constexpr std::size_t sound_packet_bytes_max = sound_header_bytes + sound_payload_bytes(sound_channels_max);
// The number of channels belongs to the payload type, since each visualization has its own.
constexpr unsigned sound_payload_type(unsigned channels) { return 110 + channels; }

struct SoundHeader {
  unsigned channels = 0;
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;  // of the first sample: its number modulo 2^32
  std::uint32_t ssrc = 0;
};

// Of the packet whose first sample is a multiple of sound_packet_samples.
constexpr SoundHeader sound_header_of(std::int64_t first_sample, unsigned channels, std::uint32_t ssrc,
                                      std::uint32_t first_sequence) {
  return {channels, static_cast<std::uint16_t>(first_sequence + first_sample / sound_packet_samples),
          static_cast<std::uint32_t>(first_sample), ssrc};
}

void write_header(const SoundHeader& header, std::span<std::byte, sound_header_bytes> out);
// Samples as in a store: 24 bits in the upper bytes. `out` has three bytes for each.
void write_samples(std::span<const std::int32_t> samples, std::byte* out);
void read_samples(std::span<const std::byte> payload, std::int32_t* out);

struct SoundPacket {
  SoundHeader header;
  std::span<const std::byte> payload;
};
// Empty, or why the datagram is not a packet of sound. (Fuzzed.)
std::string_view parse_sound(std::span<const std::byte> datagram, SoundPacket& out);

// The sample with this timestamp that is nearest to another one.
constexpr std::int64_t sample_near(std::int64_t near, std::uint32_t timestamp) {
  return near + static_cast<std::int32_t>(timestamp - static_cast<std::uint32_t>(near));
}

}  // namespace lw
