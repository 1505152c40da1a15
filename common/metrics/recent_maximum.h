// The largest value of the last one to two seconds, for figures that are published more often than they are read: each
// maximum stays published for at least a second, so that any number of readers see it if they read once a second. One
// thread; no allocation.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <utility>

namespace lw {

template <class T>
class RecentMaximum {
public:
  static constexpr std::chrono::seconds window{1};

  // `value` must not be negative.
  void add(T value) { newest_ = std::max(newest_, value); }
  // The value to publish now.
  [[nodiscard]] T publish(LocalTime now) {
    const auto largest = std::max(before_, newest_);
    if (now < window_ends_) return largest;
    before_ = std::exchange(newest_, T{});
    window_ends_ = now + window;
    return largest;
  }

private:
  T newest_{};  // of the current window; before_: of the previous one
  T before_{};
  LocalTime window_ends_{};
};

}  // namespace lw
