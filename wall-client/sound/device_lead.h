// How long before it is heard a device wants a sample, from its calls: at once more when a call needs more, slowly
// less.
//
// Threads: needs() is for the device's thread, now() for any.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace lw {

class DeviceLead {
public:
  static constexpr std::chrono::milliseconds first{60};  // until it is known
  static constexpr std::chrono::milliseconds spare{10};  // for the receiver's thread, which wakes for each millisecond

  [[nodiscard]] Nanoseconds now() const { return Nanoseconds{lead_ns_.load(std::memory_order_relaxed)}; }
  // A call in which the device took samples of which the last one is heard after `latency`.
  void needs(Nanoseconds latency) {
    const auto wanted = (latency + spare).count();
    const auto known = lead_ns_.load(std::memory_order_relaxed);
    lead_ns_.store(std::max(known - wanted / shrinks_by, wanted), std::memory_order_relaxed);
  }

private:
  static constexpr std::int64_t shrinks_by = 1024;  // a part of it for each call: some 10 s at 10 ms
  std::atomic<std::int64_t> lead_ns_{Nanoseconds{first}.count()};
};

}  // namespace lw
