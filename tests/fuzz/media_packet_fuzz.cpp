// Any datagram is a media packet whose rows and pixels lie within it, or an error that says why.
#include "common/wire/media_packet.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  lw::MediaPacket packet;
  if (!lw::parse_media_packet(datagram, packet).empty()) return 0;
  const auto* end = datagram.data() + size;
  if (packet.rows.empty() || reinterpret_cast<const std::byte*>(packet.rows.data() + packet.rows.size()) > end ||
      packet.pixels.data() + packet.pixels.size() > end)
    std::abort();
  std::size_t bytes = 0;
  for (const auto& row : packet.rows) bytes += row.length.value();
  if (bytes != packet.pixels.size()) std::abort();
  if (packet.stamp && !packet.media_time) std::abort();
  return 0;
}
