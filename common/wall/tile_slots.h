// A tile's frame as the packets of its flows (common/wire/packet_slots.h): the bands' slots one behind the other.
#pragma once

#include "common/wall/geometry.h"
#include "common/wire/packet_slots.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class TileSlots {
public:
  struct BandSlots {
    PacketSlots slots;
    std::size_t memory = 0;  // where its slots begin
    std::size_t pixels = 0;  // where its pixels begin among those of the tile
    bool operator==(const BandSlots&) const = default;
  };

  // For a tile cut into this many bands. Empty if a slot has no room for a pixel.
  static std::optional<TileSlots> of(PixelFormat format, unsigned width, unsigned height, unsigned bands,
                                     std::size_t slot_bytes);

  [[nodiscard]] std::span<const BandSlots> bands() const { return bands_; }
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }
  [[nodiscard]] std::size_t frame_bytes() const { return frame_bytes_; }  // pixels
  // Within the same memory, of memory_bytes: the pixels of the slots, one behind the other from the beginning on.
  void close_up(std::byte* memory) const;
  // The same back: the pixels that are the memory's last frame_bytes into their slots. All other bytes become 0.
  void open_up(std::byte* memory) const;

  bool operator==(const TileSlots&) const = default;

private:
  std::vector<BandSlots> bands_;
  std::size_t memory_bytes_ = 0;
  std::size_t frame_bytes_ = 0;
};

// The slots of a wall's tile, as its server's buffers and its node's bands may hold them; empty if its packets have no
// room for a pixel.
std::optional<TileSlots> tile_slots(const Wall& wall, TileIndex tile, PixelFormat format);
// The memory for a frame of a tile, and of a band, in the largest format, whether it lies in rows or in slots. A tile's
// may be the slots of a store that was made for other paths: for Ethernet's usual MTUs, and one, two or four flows.
std::size_t frame_memory_bytes(const Wall& wall, TileIndex tile);
std::size_t band_memory_bytes(unsigned width, unsigned rows, const PacketCut& cut);

}  // namespace lw
