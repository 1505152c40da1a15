// Passes the frame records of one thread to the control plane's thread. Adding a record takes no lock and allocates
// nothing; a reader that is too slow misses some, which are counted.
//
// Threads: add() from the recording thread, take() from one other, dropped() from any.
#pragma once

#include "common/concurrency/spsc_ring.h"
#include "common/metrics/frame_record.h"

#include <atomic>
#include <cstdint>

namespace lw {

class FrameRecorder {
public:
  // Enough for a flow or a tile for a second at 240 frame/s.
  static constexpr std::size_t records_kept = 256;

  explicit FrameRecorder(std::size_t capacity = records_kept) : ring_(capacity) {}

  void add(FrameRecord record) {
    if (!ring_.try_push(record)) dropped_.fetch_add(1, std::memory_order_relaxed);
  }
  bool take(FrameRecord& record) { return ring_.try_pop(record); }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

private:
  SpscRing<FrameRecord> ring_;
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace lw
