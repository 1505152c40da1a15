// Time that only passes on request, and what happens on it. Events at the same time happen in the order in
// which they were announced, so that a seed always plays the same.
#pragma once

#include "common/base/moment.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace lw::truth {

class Timeline {
public:
  [[nodiscard]] Moment now() const { return {start + passed_, LocalTime{std::chrono::hours{1}} + passed_}; }
  void at(WallTime time, std::function<void()> event) {
    events_.push({std::max(time, now().wall), count_++, std::move(event)});
  }
  // Lets time pass until `reached()`, but not beyond `until`.
  template <class Reached>
  void run(WallTime until, Reached reached) {
    while (!reached()) {
      if (events_.empty() || events_.top().time > until) {
        passed_ = std::max(passed_, until - start);
        return;
      }
      passed_ = events_.top().time - start;
      const auto event = std::move(const_cast<Event&>(events_.top()).what);
      events_.pop();
      event();
    }
  }

private:
  static constexpr WallTime start{std::chrono::seconds{1'800'000'000}};
  struct Event {
    WallTime time{};
    std::uint64_t number = 0;
    std::function<void()> what;
    bool operator<(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };

  Nanoseconds passed_{0};
  std::uint64_t count_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace lw::truth
