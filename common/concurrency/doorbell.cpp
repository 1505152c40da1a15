#include "common/concurrency/doorbell.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>

namespace lw {

Result<void> Doorbell::hang() {
  if (event_) return {};
  event_ = Descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!event_)
    return Error{std::string("cannot open the descriptor that wakes a thread: ") + std::strerror(errno),
                 "raise the limit of open files (ulimit -n)"};
  polled_.reserve(64);
  return {};
}

// Counter and flag have one order for all threads: either the ringer sees that the waiter sleeps, or the waiter sees
// the ring before it sleeps.
void Doorbell::ring() {
  rings_.fetch_add(1, std::memory_order_seq_cst);
  if (!sleeps_.load(std::memory_order_seq_cst)) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof(one));
}

void Doorbell::wait(std::uint32_t seen, bool hears, std::span<const int> descriptors, const timespec* at_most) {
  assert(event_);
  // A sender's pause between two runs: cheaper than a poll of nothing.
  if (!hears && descriptors.empty() && at_most != nullptr) {
    nanosleep(at_most, nullptr);
    return;
  }
  polled_.clear();
  if (hears) {
    sleeps_.store(true, std::memory_order_seq_cst);
    if (rings_.load(std::memory_order_seq_cst) != seen) {
      sleeps_.store(false, std::memory_order_relaxed);
      return;
    }
    polled_.push_back({event_.get(), POLLIN, 0});
  }
  for (const int descriptor : descriptors) polled_.push_back({descriptor, POLLIN, 0});
  ppoll(polled_.data(), polled_.size(), at_most, nullptr);
  if (!hears) return;
  sleeps_.store(false, std::memory_order_seq_cst);
  std::uint64_t rung = 0;
  if ((polled_.front().revents & POLLIN) != 0) [[maybe_unused]]
    const auto emptied = ::read(event_.get(), &rung, sizeof(rung));
}

}  // namespace lw
