// Whether another server is alive, by what it says about itself: that it is there, and which tick it reads next.
#pragma once

#include "common/base/moment.h"
#include "common/messages/server_messages.h"

#include <cstdint>
#include <optional>

namespace lw {

class Heartbeat {
public:
  // A server says so every 60 ms. A cold standby has half a second to take its place.
  static constexpr std::chrono::milliseconds silence{250};
  static constexpr std::chrono::milliseconds interval{60};
  // While a line plays, ticks begin at least once a second.
  static constexpr std::chrono::milliseconds standstill{1100};

  // `plays`: there is a line whose ticks it should read.
  void take(const ServerAlive& alive, bool plays, LocalTime now) {
    if (!heard_ || lost_) {
      moves_ = !plays;
      advanced_ = now;
    } else if (next_tick_ != alive.next_tick) {
      moves_ = true;
      advanced_ = now;
    }
    lost_ = false;
    heard_ = now;
    next_tick_ = alive.next_tick;
  }
  // The connection ended.
  void lose() { lost_ = true; }
  void forget() { heard_.reset(); }
  [[nodiscard]] std::optional<LocalTime> heard() const { return heard_; }
  [[nodiscard]] bool is_silent(bool plays, LocalTime now) const {
    return !heard_ || lost_ || now - *heard_ > silence || (plays && (!moves_ || now - advanced_ > standstill));
  }

private:
  std::optional<LocalTime> heard_;
  std::int64_t next_tick_ = 0;
  LocalTime advanced_{};
  bool moves_ = false;  // has read a tick since it is heard, or there was none to read
  bool lost_ = false;
};

}  // namespace lw
