// Where the frames that a measurement sends come from: memory, or a store on disks.
#pragma once

#include "common/base/result.h"
#include "server/read/frame_buffer.h"

#include <filesystem>
#include <memory>

namespace lw {

class FrameSource {
public:
  // A few frames in memory, the same again and again; larger together than the processor's caches.
  static Result<std::unique_ptr<FrameSource>> memory(std::size_t frame_bytes);
  // A visualization of one tile, from its first frame to its last and again, read ahead as playback reads.
  static Result<std::unique_ptr<FrameSource>> store(const std::filesystem::path& folder);
  virtual ~FrameSource() = default;

  // The next frame, with one user; waits for the disk where it must.
  virtual Result<FrameBuffer*> next() = 0;
};

}  // namespace lw
