// What the thread of a flow does in a load of bursts, and when: each call that sends, its waits for answers, its
// computing, and its waits for the other flows.
//
// Threads: one calls CallRecorder::add(), another one take().
#pragma once

#include "common/base/units.h"
#include "common/concurrency/spsc_ring.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lw {

enum class CallKind : std::uint8_t {
  write,    // one call that hands bytes to the kernel
  answer,   // until the receiver's answer is here: the bytes have arrived
  compute,  // compute_ms
  barrier,  // blocked until the last flow arrives
};
inline constexpr std::array<std::string_view, 4> call_names{"write", "answer", "compute", "barrier"};
constexpr std::string_view name_of(CallKind kind) { return call_names[static_cast<std::size_t>(kind)]; }

struct CallRecord {
  WallTime begin{}, end{};
  std::uint64_t bytes = 0;
  std::uint32_t burst = 0;  // from 1 on, of the measured ones
  std::uint16_t flow = 0;
  CallKind kind = CallKind::write;
  bool operator==(const CallRecord&) const = default;
};

class CallRecorder {
public:
  explicit CallRecorder(std::uint16_t flow) : flow_(flow) {}

  void add(CallRecord record) {
    record.flow = flow_;
    if (!ring_.try_push(record)) dropped_.fetch_add(1, std::memory_order_relaxed);
  }
  // Appends the records since the last call. Returns how many were dropped so far because the ring was full.
  std::uint64_t take(std::vector<CallRecord>& into) {
    CallRecord record;
    while (ring_.try_pop(record)) into.push_back(record);
    return dropped_.load(std::memory_order_relaxed);
  }

private:
  static constexpr std::size_t room = 1U << 15U;  // between two calls of take(), 0.1 s apart
  const std::uint16_t flow_;
  SpscRing<CallRecord> ring_{room};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace lw
