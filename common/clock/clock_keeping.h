// What the keeper of the wall's clock (ClockKeeper) needs from its host: the clocks that it reads, and the one that it
// sets. Simulations have their own hosts. One thread.
#pragma once

#include "common/clock/wall_clock.h"

#include <optional>

namespace lw {

class ClockKeeping {
public:
  ClockKeeping() = default;
  ClockKeeping(const ClockKeeping&) = delete;
  ClockKeeping& operator=(const ClockKeeping&) = delete;
  virtual ~ClockKeeping() = default;

  [[nodiscard]] virtual RawTime counter() const = 0;
  // As read_clocks().
  [[nodiscard]] virtual std::optional<ClockReading> read() const = 0;
  // As expect_kept_wall_clock(), keep_wall_clock() and follow_system_clock().
  virtual void expect() = 0;
  virtual void keep(const WallClockLine& line) = 0;
  virtual void follow_system() = 0;
};

// The host on which this program runs.
class OwnClockKeeping final : public ClockKeeping {
public:
  [[nodiscard]] RawTime counter() const override { return RawClock::now(); }
  [[nodiscard]] std::optional<ClockReading> read() const override { return read_clocks(); }
  void expect() override { expect_kept_wall_clock(); }
  void keep(const WallClockLine& line) override { keep_wall_clock(line); }
  void follow_system() override { follow_system_clock(); }
};

}  // namespace lw
