// Wakes one sleeping thread from another. A ring may come before the sleep: it is not lost. For handing over work a few
// hundred times a second, not per packet.
#pragma once

#include <atomic>
#include <cstdint>

namespace lw {

class Doorbell {
public:
  void ring() {
    rings_.fetch_add(1, std::memory_order_release);
    rings_.notify_one();
  }
  // The waiter notes the count, looks for work, and sleeps only if nobody rang since.
  [[nodiscard]] std::uint32_t count() const { return rings_.load(std::memory_order_acquire); }
  void wait(std::uint32_t seen) const { rings_.wait(seen, std::memory_order_acquire); }

private:
  std::atomic<std::uint32_t> rings_{0};
};

}  // namespace lw
