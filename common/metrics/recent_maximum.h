// The largest value of the last one to two seconds, for figures that are published more often than they are read: each
// maximum stays published for a second at least, so that whoever looks once in a second sees it, however many readers
// there are. One thread; no allocation.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <utility>

namespace lw {

template <class T>
class RecentMaximum {
public:
  static constexpr std::chrono::seconds window{1};

  // From 0 on.
  void add(T value) { newest_ = std::max(newest_, value); }
  // What is published now.
  [[nodiscard]] T publish(LocalTime now) {
    const auto largest = std::max(before_, newest_);
    if (now < window_ends_) return largest;
    before_ = std::exchange(newest_, T{});
    window_ends_ = now + window;
    return largest;
  }

private:
  T newest_{};  // of the window that goes on, and of the one before
  T before_{};
  LocalTime window_ends_{};
};

}  // namespace lw
