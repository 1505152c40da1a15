// Time that only passes on request, with events. Events at the same time happen in the order in which they were
// announced, so that a seed always plays the same.
#pragma once

#include "common/base/moment.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace lw::truth {

class Timeline {
public:
  Timeline() = default;
  explicit Timeline(WallTime start) : start_(start) {}

  [[nodiscard]] Moment now() const { return {start_ + passed_, LocalTime{std::chrono::hours{1}} + passed_}; }
  void at(WallTime time, std::function<void()> event) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(events_.size()));
      events_.emplace_back();
    }
    const auto place = free_.back();
    free_.pop_back();
    events_[place] = std::move(event);
    due_.push({std::max(time, now().wall), count_++, place});
  }
  // Lets time pass until `reached()`, but not beyond `until`.
  template <class Reached>
  void run(WallTime until, Reached reached) {
    while (!reached()) {
      if (due_.empty() || due_.top().time > until) {
        passed_ = std::max(passed_, until - start_);
        return;
      }
      const auto next = due_.top();
      due_.pop();
      passed_ = next.time - start_;
      const auto event = std::exchange(events_[next.place], nullptr);
      free_.push_back(next.place);
      event();
    }
  }

private:
  // Small, because a heap moves its elements often: the event itself is stored separately.
  struct Due {
    WallTime time{};
    std::uint64_t number = 0;
    std::uint32_t place = 0;  // in events_
    bool operator<(const Due& other) const { return time != other.time ? time > other.time : number > other.number; }
  };

  WallTime start_{std::chrono::seconds{1'800'000'000}};
  Nanoseconds passed_{0};
  std::uint64_t count_ = 0;
  std::priority_queue<Due> due_;
  std::vector<std::function<void()>> events_;
  std::vector<std::uint32_t> free_;  // places of events_
};

}  // namespace lw::truth
