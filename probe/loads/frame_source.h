// Where the frames that a measurement sends come from: memory, or a store on disks.
#pragma once

#include "common/base/result.h"
#include "server/read/frame_buffer.h"

#include <filesystem>
#include <memory>

namespace lw {

class FrameSource {
public:
  // A few frames in memory for each of so many tiles, the same again and again; larger together than the processor's
  // caches.
  static Result<std::unique_ptr<FrameSource>> memory(std::size_t frame_bytes, std::size_t tiles = 1);
  // The first tile of a visualization, from its first frame to its last and again, read ahead as playback reads. Its
  // tiles must be of this size: the store may have been replaced since it was asked for that.
  static Result<std::unique_ptr<FrameSource>> store(const std::filesystem::path& folder, unsigned tile_width,
                                                    unsigned tile_height);
  virtual ~FrameSource() = default;

  // The next frame, with one user; waits for the disk where it must.
  virtual Result<FrameBuffer*> next() = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace lw
