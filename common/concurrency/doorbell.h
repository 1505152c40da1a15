// Wakes one sleeping thread from other threads. A ring before the sleep is not lost. While the thread is awake, a ring
// costs no system call. For handing over work some hundred times a second, not per packet.
#pragma once

#include "common/base/descriptor.h"
#include "common/base/result.h"

#include <poll.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

class Doorbell {
public:
  // Call before a thread waits here, so that a missing descriptor is an error now, not a thread that cannot be stopped
  // later. Takes one descriptor. Not needed if another thread steps the agents of this bell.
  Result<void> hang();
  // Any thread.
  void ring();
  // The waiting thread notes the count, looks for work, and sleeps only if the bell has not rung since.
  [[nodiscard]] std::uint32_t count() const { return rings_.load(std::memory_order_acquire); }

  // The waiting thread: sleeps until the bell rings (if `hears`), one of the descriptors becomes readable, or the time
  // has passed (nullptr: no limit).
  void wait(std::uint32_t seen, bool hears, std::span<const int> descriptors, const timespec* at_most);

private:
  Descriptor event_;
  std::atomic<std::uint32_t> rings_{0};
  std::atomic<bool> sleeps_{false};
  std::vector<pollfd> polled_;
};

}  // namespace lw
