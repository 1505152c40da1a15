// Wakes one sleeping thread from others. A ring may come before the sleep: it is not lost. While the thread is awake a
// ring costs no system call. For handing over work some hundred times a second, not per packet.
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
  // Before a thread waits here: a bell that cannot be heard would be found out when that thread must end. Takes one
  // descriptor. A bell whose agents are stepped by somebody else needs none.
  Result<void> hang();
  // Any thread.
  void ring();
  // The waiter notes the count, looks for work, and sleeps only if nobody rang since.
  [[nodiscard]] std::uint32_t count() const { return rings_.load(std::memory_order_acquire); }

  // The waiter: sleeps until somebody rings (if it `hears` that), one of the descriptors can be read, or the time has
  // passed (nullptr: for as long as it takes).
  void wait(std::uint32_t seen, bool hears, std::span<const int> descriptors, const timespec* at_most);

private:
  Descriptor event_;
  std::atomic<std::uint32_t> rings_{0};
  std::atomic<bool> sleeps_{false};
  std::vector<pollfd> polled_;
};

}  // namespace lw
