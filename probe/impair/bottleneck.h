// A link that is slower than its input: packets queue for it, and those that would wait too long are dropped. Any
// thread: the flows of several lanes may share it, in the order in which the lanes take their packets.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

namespace lw {

class Bottleneck {
public:
  // When a packet that arrives at `now` has passed the link; empty: it would have to wait longer than `wait_max`.
  std::optional<LocalTime> pass(std::size_t bytes, BitRate rate, Nanoseconds wait_max, LocalTime now) {
    const double seconds = static_cast<double>(bytes) * 8 / rate.bits_per_second;
    const auto taken = static_cast<std::int64_t>(seconds * 1e9);
    const auto arrival = now.time_since_epoch().count();
    auto free = free_.load(std::memory_order_relaxed);
    for (;;) {
      const auto start = std::max(arrival, free);
      if (start - arrival > wait_max.count()) return {};
      if (free_.compare_exchange_weak(free, start + taken, std::memory_order_relaxed))
        return LocalTime{Nanoseconds{start + taken}};
    }
  }

private:
  std::atomic<std::int64_t> free_{0};  // when the link becomes free, in nanoseconds of LocalTime
};

}  // namespace lw
