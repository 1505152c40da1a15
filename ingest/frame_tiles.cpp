#include "ingest/frame_tiles.h"

#include <cstring>

#include "ingest/disk.h"

namespace lw {

std::size_t FrameTiles::bytes_of(const StripeLayout& layout, unsigned tiles) {
  std::size_t bytes = 0;
  for (TileIndex tile; tile.value < tiles; ++tile.value) bytes += layout.record_bytes(tile);
  return bytes;
}

Result<FrameTiles> FrameTiles::allocate(const StripeLayout& layout, unsigned tiles) {
  const auto bytes = bytes_of(layout, tiles);
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(store_alignment, bytes));
  if (memory == nullptr)
    return Error{"not enough memory for a frame of " + disk::size_text(bytes),
                 "end other programs, or raise ulimit -v"};
  FrameTiles frame;
  frame.memory_.reset(memory);
  std::memset(memory, 0, bytes);
  std::size_t offset = 0;
  for (TileIndex tile; tile.value < tiles; ++tile.value) {
    const auto* const slots = layout.slots(tile);
    frame.places_.push_back({offset, layout.record_bytes(tile), layout.frame_bytes(tile), 0,
                             slots != nullptr ? std::optional(*slots) : std::nullopt});
    offset += layout.record_bytes(tile);
  }
  return frame;
}

}  // namespace lw
