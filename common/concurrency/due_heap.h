// When each of many places (0, 1, ...) is due: the earliest time is found at once, and any is changed in a logarithm of
// their number. One thread.
#pragma once

#include "common/base/units.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lw {

class DueHeap {
public:
  static constexpr LocalTime never = LocalTime::max();

  // The places 0 to `count` - 1; those that are new are never due. None is taken away.
  void grow(std::size_t count) {
    for (auto place = at_.size(); place < count; ++place) {
      at_.push_back(static_cast<std::uint32_t>(heap_.size()));
      heap_.push_back({never, static_cast<std::uint32_t>(place)});
    }
  }
  void set(std::uint32_t place, LocalTime time) {
    const auto at = at_[place];
    const auto before = std::exchange(heap_[at].time, time);
    if (time < before)
      rise(at);
    else if (time > before)
      sink(at);
  }
  [[nodiscard]] LocalTime time_of(std::uint32_t place) const { return heap_[at_[place]].time; }
  // Of all; there is at least one place.
  [[nodiscard]] LocalTime earliest() const { return heap_.front().time; }
  [[nodiscard]] std::uint32_t first() const { return heap_.front().place; }

private:
  struct Due {
    LocalTime time;
    std::uint32_t place;
  };
  void put(std::size_t at, const Due& due) {
    heap_[at] = due;
    at_[due.place] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at) {
    const auto due = heap_[at];
    while (at > 0 && due.time < heap_[(at - 1) / 2].time) {
      put(at, heap_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, due);
  }
  void sink(std::size_t at) {
    const auto due = heap_[at];
    for (auto child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1].time < heap_[child].time) ++child;
      if (due.time <= heap_[child].time) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, due);
  }

  std::vector<Due> heap_;
  std::vector<std::uint32_t> at_;  // in heap_, by place
};

}  // namespace lw
