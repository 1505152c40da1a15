// Percentiles of the newest values of a series: a fixed ring, sorted only on request. For series of frames (tens a
// second), not of packets. One thread; no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace lw {

template <std::size_t Size>
class RecentDistribution {
public:
  void add(double value) {
    values_[next_] = value;
    next_ = (next_ + 1) % Size;
    count_ = std::min(count_ + 1, Size);
  }
  void clear() { next_ = count_ = 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  // Nearest rank: the smallest value such that `fraction` of all are at or below it.
  [[nodiscard]] std::optional<double> quantile(double fraction) const {
    return quantiles(std::array{fraction}).front();
  }
  // For several ascending fractions: each searches only the values that the previous one left above it.
  template <std::size_t Count>
  [[nodiscard]] std::array<std::optional<double>, Count> quantiles(const std::array<double, Count>& fractions) const {
    std::array<std::optional<double>, Count> found;
    if (count_ == 0) return found;
    std::array<double, Size> sorted;
    const auto end = std::copy_n(values_.begin(), count_, sorted.begin());
    auto from = sorted.begin();
    for (std::size_t i = 0; i < Count; ++i) {
      const auto rank = static_cast<std::size_t>(std::ceil(fractions[i] * static_cast<double>(count_)));
      const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, count_) - 1);
      std::nth_element(from, nth, end);
      found[i] = *nth;
      from = nth;
    }
    return found;
  }
  [[nodiscard]] std::optional<double> max() const {
    if (count_ == 0) return std::nullopt;
    return *std::max_element(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count_));
  }

private:
  std::array<double, Size> values_{};
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace lw
