// A bounded queue from one producer thread to one consumer thread, without locks or allocation after construction.
//
// Correct because: only the producer writes tail_ and the slots it has not yet published; only the consumer writes
// head_ and reads published slots. The release store of an index publishes everything written before it to the other
// side's acquire load. Each side caches the other's index so that an uncontended push or pop touches one cache line.
// tests/unit/common/concurrency/spsc_ring_test.cpp runs it under ThreadSanitizer.
#pragma once

#include "common/base/cache_lines.h"

#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace lw {

template <class T>
class SpscRing {
public:
  // Holds up to `capacity` values, rounded up to a power of two.
  explicit SpscRing(std::size_t capacity)
      : mask_(std::bit_ceil(capacity) - 1), slots_(std::make_unique<T[]>(mask_ + 1)) {
    assert(capacity > 0);
  }

  // Producer. False when full: the value is left untouched.
  bool try_push(T& value) {
    const auto tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ > mask_) {
      head_seen_ = head_.load(std::memory_order_acquire);
      if (tail - head_seen_ > mask_) return false;
    }
    slots_[tail & mask_] = std::move(value);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool try_push(T&& value) { return try_push(value); }

  // Consumer. False when empty.
  bool try_pop(T& out) {
    const auto head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head == tail_seen_) return false;
    }
    out = std::move(slots_[head & mask_]);
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  // Consumer: whether try_pop() would find nothing.
  [[nodiscard]] bool empty() {
    const auto head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) tail_seen_ = tail_.load(std::memory_order_acquire);
    return head == tail_seen_;
  }

  [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

private:
  const std::size_t mask_;
  const std::unique_ptr<T[]> slots_;
  alignas(cache_line_bytes) std::atomic<std::size_t> tail_{0};  // producer's
  std::size_t head_seen_ = 0;
  alignas(cache_line_bytes) std::atomic<std::size_t> head_{0};  // consumer's
  std::size_t tail_seen_ = 0;
};

}  // namespace lw
