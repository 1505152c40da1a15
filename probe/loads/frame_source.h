// The source of the frames that a measurement sends: memory, or a store on disks.
#pragma once

#include "common/base/result.h"
#include "server/read/frame_buffer.h"

#include <filesystem>
#include <memory>

namespace lw {

class FrameSource {
public:
  // A few frames in memory for each of `tiles` tiles, repeated endlessly; together larger than the processor's
  // caches.
  static Result<std::unique_ptr<FrameSource>> memory(std::size_t frame_bytes, std::size_t tiles = 1);
  // The same for frames that lie as the packets of their flows.
  static Result<std::unique_ptr<FrameSource>> packets(const TileSlots& slots, std::size_t tiles = 1);
  // The first tile of a visualization, from its first frame to its last and again, read ahead as in playback. Its tiles
  // must have this size, because the store may have been replaced since its size was read.
  static Result<std::unique_ptr<FrameSource>> store(const std::filesystem::path& folder, unsigned tile_width,
                                                    unsigned tile_height);
  virtual ~FrameSource() = default;

  // The next frame, with one user; waits for the disk if necessary.
  virtual Result<FrameBuffer*> next() = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace lw
