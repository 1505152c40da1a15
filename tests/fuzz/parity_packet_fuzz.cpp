// Any datagram is a parity packet or an error that says why; the parsed parts lie within the datagram, and a decoder
// that is given it writes nothing but its band.
#include "common/wall/tile_slots.h"
#include "common/wire/parity_packet.h"
#include "wall-client/assemble/parity_decoder.h"

#include <cstdlib>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span datagram{reinterpret_cast<const std::byte*>(data), size};
  lw::ParityPacket packet;
  if (!lw::parse_parity_packet(datagram, packet).empty()) return 0;
  if (packet.symbol.data() + packet.symbol.size() > datagram.data() + datagram.size()) std::abort();
  constexpr lw::BandGeometry geometry{0, 64, 0, 8};
  const lw::PacketCut cut{320, packet.row % 2 == 0 ? lw::PacketLayout::in_rows : lw::PacketLayout::in_slots};
  std::vector<std::byte> memory(lw::band_memory_bytes(geometry.width, geometry.rows, cut) * 2);
  lw::BandAssembler assembler(geometry, cut, memory.data(), 2, 2);
  // A band that is open, so that the packet may be of it.
  auto templates = lw::PacketTemplates::lay_out(lw::PixelFormat::rgb8, geometry.width, geometry.rows, cut, 1).value();
  templates.stamp({packet.media_time, 0, 0, 0}, packet.first_sequence);
  const auto& first = templates.packets().front();
  std::vector<std::byte> media(templates.header(first), templates.header(first) + first.header_bytes);
  media.resize(media.size() + first.pixel_bytes);
  media.resize(media.size() + first.padding_bytes, static_cast<std::byte>(first.padding_bytes));
  lw::MediaPacket parsed;
  if (!lw::parse_media_packet(media, parsed).empty()) std::abort();
  parsed.timestamp = packet.timestamp;
  assembler.place(parsed, {});
  const auto rebuilt = [&](std::int64_t sequence) {
    if (sequence <= 0 || sequence >= static_cast<std::int64_t>(templates.packets().size())) std::abort();
  };
  lw::ParityDecoder decoder({4, 2}, geometry.width, {0, geometry.rows}, cut, 2, rebuilt);
  decoder.take(packet, 0, assembler);
  decoder.rebuild(assembler);
  return 0;
}
