// A histogram of times with buckets at most 1/128 as wide as their times, so that quantiles are within 0.4 %. One
// thread adds while any thread reads; no allocation, no lock.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lw {

class TimeHistogram {
public:
  // The first 256 buckets are 1 ns wide. Each further 128 are twice as wide and end at twice the time.
  static constexpr unsigned bits = 7;
  static constexpr unsigned time_bits_max = 38;  // longer times (minutes) count in the last bucket
  static constexpr std::size_t buckets = std::size_t{time_bits_max - bits + 1} << bits;

  // The adding thread. Negative times count as 0.
  void add(Nanoseconds time) {
    const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
    increase(counts_[bucket_of(ns)], 1);
    increase(sum_ns_, ns);
    if (ns > max_ns_.load(std::memory_order_relaxed)) max_ns_.store(ns, std::memory_order_relaxed);
  }

private:
  friend class TimeDistribution;

  static std::size_t bucket_of(std::uint64_t ns) {
    if (ns < std::uint64_t{2} << bits) return ns;
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - bits - 1;
    return std::min<std::size_t>((std::size_t{shift} << bits) + (ns >> shift), buckets - 1);
  }
  static double middle_of(std::size_t bucket) {
    if (bucket < std::size_t{2} << bits) return static_cast<double>(bucket);
    const auto shift = (bucket >> bits) - 1;
    const auto first = (bucket - (shift << bits)) << shift;
    return static_cast<double>(first) + static_cast<double>((std::uint64_t{1} << shift) - 1) / 2;
  }
  // Only one thread writes, so this need not be an atomic addition.
  static void increase(std::atomic<std::uint64_t>& value, std::uint64_t by) {
    value.store(value.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, buckets> counts_{};
  std::atomic<std::uint64_t> sum_ns_{0};
  std::atomic<std::uint64_t> max_ns_{0};
};

// The sum of one or several histograms at the time of reading. One thread.
class TimeDistribution {
public:
  void add(const TimeHistogram& histogram) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const auto more = histogram.counts_[i].load(std::memory_order_relaxed);
      counts_[i] += more;
      count_ += more;
    }
    sum_ns_ += static_cast<double>(histogram.sum_ns_.load(std::memory_order_relaxed));
    max_ns_ = std::max(max_ns_, static_cast<double>(histogram.max_ns_.load(std::memory_order_relaxed)));
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // In nanoseconds; empty if nothing was measured. Nearest rank, as in RecentDistribution.
  [[nodiscard]] std::optional<double> quantile(double fraction) const {
    if (count_ == 0) return {};
    const auto rank =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_))));
    std::uint64_t below = 0;
    std::size_t bucket = 0;
    for (; bucket + 1 < counts_.size() && below + counts_[bucket] < rank; ++bucket) below += counts_[bucket];
    return std::min(TimeHistogram::middle_of(bucket), max_ns_);
  }
  [[nodiscard]] std::optional<double> mean() const {
    return count_ > 0 ? std::optional(sum_ns_ / static_cast<double>(count_)) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> max() const { return count_ > 0 ? std::optional(max_ns_) : std::nullopt; }

private:
  std::array<std::uint64_t, TimeHistogram::buckets> counts_{};
  std::uint64_t count_ = 0;
  double sum_ns_ = 0;
  double max_ns_ = 0;
};

}  // namespace lw
