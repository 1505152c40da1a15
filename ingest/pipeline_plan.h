// How many frames an import has in work. Pure arithmetic.
#pragma once

#include <cstdint>

#include "ingest/host_share.h"

namespace lw {

struct PipelinePlan {
  unsigned splitters = 1;  // threads that cut frames into tiles
  // Slots between the stages.
  unsigned decoded = 1;
  unsigned fitted = 1;  // for each splitter
  unsigned tiles = 1;   // for each splitter

  [[nodiscard]] unsigned frames() const { return decoded + splitters * (fitted + tiles); }
};

struct FrameSizes {
  std::uint64_t decoded = 0;
  std::uint64_t fitted = 0;  // of the wall, as FFmpeg has it
  std::uint64_t tiles = 0;   // of the wall, as the store has it
};

// Few frames if they are large or memory is short, but at least one between each two stages. Otherwise, enough that
// no core waits while a frame is written.
PipelinePlan plan_pipeline(const HostShare& share, const FrameSizes& sizes);

}  // namespace lw
