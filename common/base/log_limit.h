// Prevents a log line for each packet, frame or call: writes the first lines of a burst, then one per interval, and
// counts the suppressed lines for the next one. The caller passes the time. One thread.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace lw {

class LogLimit {
public:
  explicit LogLimit(Nanoseconds interval = std::chrono::seconds{1}, unsigned burst = 1)
      : interval_(interval), burst_(burst), left_(burst) {}

  // One more line of its kind. If it should be written: the number of lines suppressed since the last one.
  std::optional<std::uint64_t> take(LocalTime now) {
    refill(now);
    if (left_ == 0) {
      ++held_;
      return std::nullopt;
    }
    --left_;
    return std::exchange(held_, 0);
  }
  // Whether lines are suppressed and a line that says so may be written although no more come; then call `take`.
  [[nodiscard]] bool is_overdue(LocalTime now) {
    refill(now);
    return held_ > 0 && left_ > 0;
  }
  [[nodiscard]] std::uint64_t held() const { return held_; }

private:
  void refill(LocalTime now) {
    if (!filled_ || now < *filled_) filled_ = now;
    const auto passed = (now - *filled_) / interval_;
    if (passed <= 0) return;
    left_ = static_cast<unsigned>(std::min<std::int64_t>(burst_, left_ + passed));
    *filled_ += passed * interval_;
  }

  Nanoseconds interval_;
  unsigned burst_;
  unsigned left_;
  std::uint64_t held_ = 0;
  std::optional<LocalTime> filled_;
};

}  // namespace lw
