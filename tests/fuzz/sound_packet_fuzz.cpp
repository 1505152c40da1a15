// Any datagram is a packet of sound or an error that says why; a packet that is one is written again as it was.
#include "common/wire/sound_packet.h"
#include "wall-client/sound/sound_buffer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  lw::SoundPacket packet;
  if (!lw::parse_sound(datagram, packet).empty()) return 0;
  std::vector<std::int32_t> samples(48 * packet.header.channels);
  lw::read_samples(packet.payload, samples.data());
  std::vector<std::byte> again(size);
  lw::write_header(packet.header, std::span(again).first<lw::sound_header_bytes>());
  lw::write_samples(samples, again.data() + lw::sound_header_bytes);
  again[1] |= datagram[1] & std::byte{0x80};  // the marker means nothing
  if (std::memcmp(again.data(), data, size) != 0) std::abort();
  lw::SoundBuffer buffer(64);
  const std::int64_t now = 48 * 1'700'000'000'000;
  const auto number = lw::sample_near(now, packet.header.timestamp) / 48;
  const bool taken = buffer.put(packet, now, now / 48 - 32) == lw::SoundBuffer::Fate::taken;
  if (taken != buffer.at(number).has_value()) std::abort();
  return 0;
}
