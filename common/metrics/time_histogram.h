// A distribution of times since the program started, in the form in which Prometheus adds up those of several flows,
// tiles and hosts: counts by fixed bounds, and the sum. The newest percentiles are elsewhere (recent_distribution.h).
//
// Bounds follow from the quantity. Each scale goes in steps of 1, 2, 5 over six decades: from what clocks and
// timestamps resolve to what nobody waits for.
//
// Threads: one adds, in a few comparisons and without a lock or a read-modify-write; any thread reads.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace lw {

struct TimeScale {
  static constexpr std::size_t size = 19;
  std::array<Nanoseconds, size> bounds;  // ascending; a bound belongs to the times below it (`le`)

  static constexpr TimeScale from(Nanoseconds first) {
    TimeScale scale{};
    for (std::size_t i = 0; i < size; ++i) {
      scale.bounds[i] = first * (i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5);
      if (i % 3 == 2) first *= 10;
    }
    return scale;
  }
};
// Differences of times that should be equal: 1 µs, which kernel timestamps resolve, to 1 s, when a wall has fallen
// apart.
inline constexpr TimeScale differences = TimeScale::from(std::chrono::microseconds{1});
// How long something takes: 10 µs, less than any of it does, to 10 s, the longest playout delay.
inline constexpr TimeScale durations = TimeScale::from(std::chrono::microseconds{10});

class TimeHistogram {
public:
  struct Reading {
    std::array<std::uint64_t, TimeScale::size + 1> counts{};  // up to each bound, above the one before; the last: above
    std::int64_t sum_ns = 0;

    [[nodiscard]] std::uint64_t count() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{}); }
    Reading& operator+=(const Reading& other) {
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
      sum_ns += other.sum_ns;
      return *this;
    }
    bool operator==(const Reading&) const = default;
  };

  explicit TimeHistogram(const TimeScale& scale) : scale_(&scale) {}

  void add(Nanoseconds time) {
    const auto& bounds = scale_->bounds;
    const auto bucket = static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), time) - bounds.begin());
    grow(counts_[bucket], std::uint64_t{1});
    grow(sum_ns_, static_cast<std::int64_t>(time.count()));
  }
  // Counts and sum may differ by what was added meanwhile.
  [[nodiscard]] Reading read() const {
    Reading reading;
    for (std::size_t i = 0; i < counts_.size(); ++i) reading.counts[i] = counts_[i].load(std::memory_order_relaxed);
    reading.sum_ns = sum_ns_.load(std::memory_order_relaxed);
    return reading;
  }
  [[nodiscard]] const TimeScale& scale() const { return *scale_; }

private:
  template <class Number>
  static void grow(std::atomic<Number>& number, Number by) {
    number.store(number.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  const TimeScale* scale_;
  std::array<std::atomic<std::uint64_t>, TimeScale::size + 1> counts_{};
  std::atomic<std::int64_t> sum_ns_{0};
};

}  // namespace lw
