// Any series of packets, honest or not, leaves every byte outside the bands alone and every band accounted for.
// The input is a list of packets, each behind two bytes of length.
#include "common/wall/tile_slots.h"
#include "wall-client/assemble/band_assembler.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using namespace lw;

constexpr BandGeometry geometry{0, 32, 0, 20};
constexpr unsigned buffers = 5;

void take(BandAssembler& assembler, bool overdue) {
  while (const auto band = assembler.take_finished([&](WallTime) { return overdue; })) {
    if (band->rows != geometry.rows_in(band->format).count || band->buffer >= buffers) std::abort();
    for (unsigned row = 0; row < band->rows; ++row)
      if (band->whole && !band->row_present(row)) std::abort();
    assembler.give_back(band->buffer);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const PacketCut cut{600, size % 2 == 0 ? PacketLayout::in_rows : PacketLayout::in_slots};
  std::vector<std::byte> memory(band_memory_bytes(geometry.width, geometry.rows, cut) * buffers);
  BandAssembler assembler(geometry, cut, memory.data(), buffers, 3);
  std::uint64_t used = 0;
  for (std::size_t at = 0; at + 2 < size;) {
    const std::size_t length = std::min<std::size_t>(data[at] | data[at + 1] << 8U, size - at - 2);
    const std::span datagram{reinterpret_cast<const std::byte*>(data + at + 2), length};
    at += 2 + length;
    MediaPacket packet;
    if (!parse_media_packet(datagram, packet).empty()) {
      take(assembler, length % 2 == 1);
      continue;
    }
    used += assembler.place(packet, WallTime{}) == PacketFate::used;
    if (assembler.must_make_room()) {
      take(assembler, false);
      used += assembler.place(packet, WallTime{}) == PacketFate::used;
    }
    if (length % 5 == 0) assembler.reset();
  }
  take(assembler, true);
  if (assembler.bands_whole() + assembler.bands_incomplete() > used) std::abort();
  return 0;
}
