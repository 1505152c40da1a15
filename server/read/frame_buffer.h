// The memory that frames are read into and sent from: allocated once, before playing, page-aligned, on huge pages if
// the host has some. A buffer is free when nobody uses it.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/memory/pages.h"
#include "common/metrics/frame_record.h"
#include "common/pixel/pixel_format.h"
#include "common/store/stripe_layout.h"
#include "common/wall/tile.h"
#include "common/wall/tile_slots.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lw {

enum class BufferState : std::uint8_t { reading, ready, failed };

class OpenStore;
struct FrameBuffer;

// A read from a store with copies. Playback thread only.
struct WatchedRead {
  const OpenStore* store = nullptr;  // null: it has no copies. As long as the read is under way
  FrameBuffer* other = nullptr;      // the frame is being read into it as well, from its other disk
  unsigned copy = 0;
  unsigned disk = 0;
  unsigned other_disk = 0;
  std::uint64_t number = 0;  // of the read
  LocalTime asked{};
  LocalTime late{};
};

// Holds one tile's frame. If it lies in slots, each flow writes headers into its own band's. `users` counts those that
// may still read it: the playback thread while it reads ahead or may send the frame again, and each flow that has not
// yet sent its band. Only the playback thread takes a free buffer; any thread may release one.
struct FrameBuffer {
  std::byte* data = nullptr;
  std::size_t capacity = 0;
  std::atomic<unsigned> users{0};
  BufferState state = BufferState::ready;  // playback thread only
  PixelFormat format = PixelFormat::rgb8;  // of its frame, as are tile and frame; set before the flows see it
  bool in_slots = false;                   // the frame lies as its flows' packets (common/wall/tile_slots.h)
  TileIndex tile;
  std::uint32_t frame = 0;
  // How it lies while it is being read, if flows need its pixels row behind row; null: as they need it. Of the store
  // that it is read from. Playback thread only.
  const TileSlots* read_in_slots = nullptr;
  FrameRecord read;  // when it was read, and for which tick; playback thread only
  WatchedRead watched;

  void add_users(unsigned count) { users.fetch_add(count, std::memory_order_relaxed); }
  // Release order: reads of the pixels happen before the buffer is filled again.
  void release() { users.fetch_sub(1, std::memory_order_release); }
  // Its read has ended.
  void arrange() {
    if (read_in_slots != nullptr) read_in_slots->close_up(data);
  }
};

class FramePool {
public:
  // `count` buffers of `bytes` each (rounded up to pages), touched so that playing never faults, near `cpu` (< 0:
  // anywhere).
  static Result<std::unique_ptr<FramePool>> allocate(std::size_t count, std::size_t bytes, int cpu = -1);
  // In memory of this size.
  static std::unique_ptr<FramePool> in(Pages pages, std::size_t count, std::size_t bytes);
  static std::size_t memory_bytes(std::size_t count, std::size_t bytes) { return count * stride(bytes); }

  // A free buffer with one user, or nullptr.
  FrameBuffer* take();
  [[nodiscard]] std::span<FrameBuffer> buffers() { return {buffers_.get(), count_}; }
  [[nodiscard]] const Pages& pages() const { return pages_; }
  [[nodiscard]] std::span<std::byte> memory() const { return {pages_.data(), pages_.bytes()}; }

private:
  FramePool() = default;
  static std::size_t stride(std::size_t bytes) {
    return (bytes + store_alignment - 1) / store_alignment * store_alignment;
  }
  Pages pages_;
  std::size_t count_ = 0;
  std::unique_ptr<FrameBuffer[]> buffers_;
};

}  // namespace lw
