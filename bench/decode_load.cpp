#include "bench/decode_load.h"

#include "common/concurrency/pinned_thread.h"
#include "common/pixel/lossless_band.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace lw::bench {
namespace {

struct Frames {
  unsigned width = 0;
  unsigned height = 0;
  std::size_t bytes = 0;          // of a frame's memory
  std::vector<std::byte> memory;  // of all frames, one behind the other
};

// The first tile's.
Result<Frames> frames_of(const StoreFiles& store) {
  const auto& manifest = store.manifest;
  const StripeLayout layout(manifest);
  const TileIndex tile;
  const auto place = manifest.geometry.place(tile);
  Frames frames{place.width, place.height, layout.frame_bytes(tile), {}};
  if (!info(manifest.pixel_format).varies_in_length() || layout.has_slots())
    return Error{store.path.string() + " has no frames of lossless in rows", "ingest it with --format lossless"};
  frames.memory.resize(frames.bytes * manifest.frame_count);
  for (std::uint32_t frame = 0; frame < manifest.frame_count; ++frame) {
    const auto where = layout.locate(frame, tile);
    const auto& file = store.files[where.stripe * manifest.geometry.tile_count()];
    auto* const to = frames.memory.data() + frame * frames.bytes;
    if (::pread(file.file.get(), to, frames.bytes, static_cast<off_t>(where.offset)) !=
        static_cast<ssize_t>(frames.bytes))
      return Error{"cannot read " + file.path.string(), "check that its disk is mounted and readable"};
  }
  return frames;
}

// Of a tile of one band.
std::size_t used_bytes(const Frames& frames) {
  std::size_t used = 0;
  for (std::size_t at = 0; at < frames.memory.size(); at += frames.bytes)
    used += lossless_used(frames.memory.data() + at, frames.bytes);
  return used;
}

}  // namespace

Result<Report> run(const DecodeLoad& load) {
  const auto store = open_store_files(load.store);
  if (!store) return store.error();
  const auto frames = frames_of(*store);
  if (!frames) return frames.error();
  const auto stride = std::size_t{frames->width} * 3;
  std::vector<std::byte> rgb(stride * frames->height);
  LosslessDecoder decoder;
  double fastest = std::numeric_limits<double>::max();
  for (unsigned round = 0; round < load.rounds; ++round) {
    const auto begun = thread_cpu_seconds();
    for (std::size_t at = 0; at < frames->memory.size(); at += frames->bytes)
      if (!decoder.decode_tile({frames->memory.data() + at, frames->bytes}, frames->width, frames->height, rgb.data(),
                               stride))
        return Error{load.store.string() + " has a damaged frame", "verify it with wall-ingest --verify"};
    fastest = std::min(fastest, thread_cpu_seconds() - begun);
  }
  const auto count = static_cast<double>(store->manifest.frame_count);
  return Report{{{"frames", store->manifest.frame_count},
                 {"bytes_per_frame", static_cast<double>(used_bytes(*frames)) / count},
                 {"seconds_per_frame", fastest / count}}};
}

}  // namespace lw::bench
