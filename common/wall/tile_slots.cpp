#include "common/wall/tile_slots.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lw {
namespace {

// Of Ethernet's usual MTUs, with IPv4 and IPv6; the first one is the wall's.
constexpr std::array<std::size_t, 4> usual_slots{0, 1408, 8896, 8960};

std::size_t memory_of_rows(unsigned width, unsigned rows) {
  return std::max(frame_bytes_max(width, rows), frame_bytes(PixelFormat::lossless, width, rows));
}

}  // namespace

std::optional<TileSlots> TileSlots::of(PixelFormat format, unsigned width, unsigned height, unsigned bands,
                                       std::size_t slot_bytes) {
  TileSlots tile;
  std::size_t pixels = 0;
  unsigned first_row = 0;
  for (unsigned band = 0; band < bands; ++band) {
    const RowRange rows{first_row, band_height(height, bands, band)};
    first_row += rows.count;
    const auto slots = PacketSlots::of(format, width, group_rows(format, rows).count, slot_bytes);
    if (!slots) return std::nullopt;
    tile.bands_.push_back({*slots, tile.memory_bytes_, pixels});
    tile.memory_bytes_ += slots->memory_bytes();
    pixels += slots->frame_bytes();
  }
  tile.frame_bytes_ = pixels;
  return tile;
}

// Pixels move towards the beginning only, and in order: none is overwritten before it has moved.
void TileSlots::close_up(std::byte* memory) const {
  for (const auto& band : bands_)
    band.slots.for_each_piece(0, band.slots.frame_bytes(),
                              [&](std::size_t offset, std::size_t place, std::size_t bytes) {
                                std::memmove(memory + band.pixels + offset, memory + band.memory + place, bytes);
                              });
}

// No pixel moves towards the end: what lies before a pixel's slot, headers included, is never more than all of them.
void TileSlots::open_up(std::byte* memory) const {
  std::byte* const pixels = memory + memory_bytes_ - frame_bytes_;
  std::byte* clean = memory;  // from here on, bytes are still to be set
  for (const auto& band : bands_)
    band.slots.for_each_piece(0, band.slots.frame_bytes(),
                              [&](std::size_t offset, std::size_t place, std::size_t bytes) {
                                std::byte* const to = memory + band.memory + place;
                                std::memmove(to, pixels + band.pixels + offset, bytes);
                                std::memset(clean, 0, static_cast<std::size_t>(to - clean));
                                clean = to + bytes;
                              });
  std::memset(clean, 0, static_cast<std::size_t>(memory + memory_bytes_ - clean));
}

std::optional<TileSlots> tile_slots(const Wall& wall, TileIndex tile, PixelFormat format) {
  const auto& place = wall.tile(tile).place;
  return TileSlots::of(format, place.width, place.height, wall.streaming.flows_per_tile,
                       PacketSlots::slot_bytes_for(media_datagram_max(wall, tile)));
}

std::size_t frame_memory_bytes(const Wall& wall, TileIndex tile) {
  const auto& place = wall.tile(tile).place;
  std::size_t most = memory_of_rows(place.width, place.height);
  auto slot_sizes = usual_slots;
  slot_sizes.front() = PacketSlots::slot_bytes_for(media_datagram_max(wall, tile));
  for (const auto format : all_pixel_formats)
    for (const auto slot_bytes : slot_sizes)
      for (const unsigned flows : {1U, 2U, 4U, wall.streaming.flows_per_tile})
        if (const auto slots = TileSlots::of(format, place.width, place.height, flows, slot_bytes))
          most = std::max(most, slots->memory_bytes());
  return most;
}

std::size_t band_memory_bytes(unsigned width, unsigned rows, const PacketCut& cut) {
  std::size_t most = memory_of_rows(width, rows);
  for (const auto format : all_pixel_formats)
    if (const auto slots = PacketSlots::of(format, width, group_rows(format, rows), cut.slot_bytes()))
      most = std::max(most, slots->memory_bytes());
  return most;
}

}  // namespace lw
