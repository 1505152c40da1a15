#include "bench/read_load.h"

#include "common/concurrency/pinned_thread.h"
#include "common/metrics/process_stats.h"

#include <array>
#include <cstring>

namespace lw::bench {
namespace {

constexpr std::chrono::milliseconds wait_max{100};

struct Figures {
  std::uint64_t bytes = 0;
  std::uint64_t frames = 0;
  int error = 0;
  double seconds = 0;
  double cpu_s = 0;
};

Figures read_all(const ReadLoad& load, const OpenStore& store, FramePool& pool, StripeReader& reader) {
  Figures figures;
  const auto& manifest = store.manifest();
  const unsigned tiles = manifest.geometry.tile_count();
  std::uint64_t next = 0;
  reader.use(store);
  const double cpu_before = read_process_stats().cpu_s;
  const auto start = LocalClock::now();
  const auto until = start + load.duration;
  std::array<ReadDone, 16> done;
  while (LocalClock::now() < until || reader.under_way() > 0) {
    while (LocalClock::now() < until) {
      FrameBuffer* buffer = pool.take();
      if (buffer == nullptr) break;
      const auto frame = static_cast<std::uint32_t>(next / tiles % manifest.frame_count);
      const auto extent = store.locate(frame, {static_cast<unsigned>(next % tiles)});
      buffer->read.bytes = static_cast<std::uint32_t>(extent.needed);
      reader.start(extent, *buffer);
      ++next;
    }
    const auto count = reader.wait(done, wait_max);
    for (std::size_t i = 0; i < count; ++i) {
      if (done[i].error != 0) figures.error = done[i].error;
      figures.bytes += done[i].buffer->read.bytes;
      ++figures.frames;
      done[i].buffer->release();
    }
  }
  figures.seconds = std::chrono::duration<double>(LocalClock::now() - start).count();
  figures.cpu_s =
      read_process_stats().cpu_s - cpu_before;  // the kernel's workers belong to the process, not to a thread
  return figures;
}

}  // namespace

Result<Report> run(const ReadLoad& load) {
  const auto store = OpenStore::open(load.store);
  if (!store) return store.error();
  auto pool = FramePool::allocate(load.frames_under_way, (*store)->frame_bytes_max());
  if (!pool) return pool.error();
  const std::array memory{(*pool)->memory()};
  const auto reader = StripeReader::create(load.frames_under_way, load.settings, memory);
  Figures figures;
  start_thread("bench-read", load.cpu, [&](const std::stop_token&) {
    figures = read_all(load, **store, **pool, *reader);
  }).join();
  if (figures.error != 0)
    return Error{"cannot read " + load.store.string() + ": " + std::strerror(figures.error), "check the disk"};
  return Report{{{"gigabytes_per_s", static_cast<double>(figures.bytes) * 1e-9 / figures.seconds},
                 {"cpu_s_per_gb", figures.cpu_s / (static_cast<double>(figures.bytes) * 1e-9)},
                 {"frames", figures.frames},
                 {"stripes", (*store)->stripes()},
                 {"direct", (*store)->direct()},
                 {"reader", reader->name()}}};
}

}  // namespace lw::bench
