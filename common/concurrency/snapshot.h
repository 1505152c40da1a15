// The newest value of a plain struct, published by one thread and read by others without delaying the publisher.
//
// A sequence lock over atomic words: the counter is odd while the words change, and a reader tries again if it saw an
// odd counter or the counter moved. The words are relaxed atomics, so a torn read is discarded, never undefined.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>

namespace lw {

template <class T>
class Snapshot {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Snapshot() { publish(T{}); }

  // The one publishing thread.
  void publish(const T& value) {
    std::array<std::uint64_t, words> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    const auto version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < words; ++i) words_[i].store(raw[i], std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  // Any thread.
  [[nodiscard]] T read() const {
    std::array<std::uint64_t, words> raw;
    for (;;) {
      const auto before = version_.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < words; ++i) raw[i] = words_[i].load(std::memory_order_acquire);
      if ((before & 1U) == 0 && version_.load(std::memory_order_relaxed) == before) break;
      std::this_thread::yield();
    }
    T value;
    std::memcpy(static_cast<void*>(&value), raw.data(), sizeof(T));
    return value;
  }

private:
  static constexpr std::size_t words = (sizeof(T) + 7) / 8;
  std::atomic<std::uint32_t> version_{0};
  std::array<std::atomic<std::uint64_t>, words> words_{};
};

}  // namespace lw
