// The wall's clock of one program or simulated host, as its keeper has set it. Until it has a keeper it is the system
// clock. One thread keeps it; any thread reads it.
#pragma once

#include "common/clock/wall_clock.h"
#include "common/concurrency/snapshot.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace lw {

class KeptClock {
public:
  // From now on it has a keeper, but is unknown before the first line.
  void expect() { source_.store(Source::awaited, std::memory_order_release); }
  void keep(const WallClockLine& line) {
    newest_.publish(line);
    source_.store(Source::kept, std::memory_order_release);
  }
  void follow_system() { source_.store(Source::system, std::memory_order_release); }

  [[nodiscard]] bool known() const { return source_.load(std::memory_order_acquire) != Source::awaited; }
  [[nodiscard]] std::uint32_t steps() const { return newest_.read().steps; }
  // Of what its keeper has set, at a time of the counter; empty: unknown.
  [[nodiscard]] std::optional<Nanoseconds> error_at(RawTime raw) const {
    if (!known()) return std::nullopt;
    const auto line = this->line();
    return line ? line->error_at(raw) : Nanoseconds{0};
  }
  // Empty: it is the system clock.
  [[nodiscard]] std::optional<WallClockLine> line() const {
    if (source_.load(std::memory_order_acquire) != Source::kept) return std::nullopt;
    return newest_.read();
  }
  [[nodiscard]] WallTime to_wall(SystemTime time) const {
    const auto line = this->line();
    if (!line) return WallTime{time.time_since_epoch()};
    return line->at_raw(RawTime{time.time_since_epoch() - line->system_less_raw});
  }

private:
  enum class Source : std::uint8_t { system, awaited, kept };

  std::atomic<Source> source_{Source::system};
  Snapshot<WallClockLine> newest_;
};

}  // namespace lw
