// Times of a network card's clock (PHC) as system time: a line through the two newest readings of both clocks, and a
// bound of the error of what was converted by it. Neither clock needs to follow the other. Pure; one thread.
//
// The bound: at a reading, the line is wrong by at most half of its window. At the next one the old line's error is
// seen, exact to half of that window. Between two readings the error can be larger than at both ends only because the
// clocks' relative rate is not constant there; if it stays within a range of `range`, by at most range * duration / 4.
#pragma once

#include "common/clock/phc.h"
#include "common/clock/wall_clock.h"

#include <cstdint>
#include <optional>

namespace lw {

struct CardLine {
  Nanoseconds at{0};     // the newest reading, by the card's clock
  Nanoseconds ahead{0};  // card's clock minus system clock at that reading
  double drift = 0;      // by this share the card's clock runs faster than the system clock
  Nanoseconds error{0};  // bound of the error of everything converted up to that reading
  bool known = false;    // false before the second reading

  // For a time that is newer than the reading before the newest one.
  [[nodiscard]] SystemTime system_time(Nanoseconds stamp) const {
    const auto since = static_cast<double>((stamp - at).count());
    return SystemTime{stamp - ahead - Nanoseconds{static_cast<std::int64_t>(since * drift)}};
  }
};

class CardLineKeeper {
public:
  // Assumed range of the clocks' relative rate between two readings, as a share. The kernel slews the system clock, and
  // PTP the card's, in far smaller steps once they follow their source; what is larger shows at the next reading.
  static constexpr double range = 10e-6;
  // A clock that seems to run faster or slower than the other by more was set: the kernel slews by 0.05 % at most.
  static constexpr double drift_max = 1e-3;

  // Readings in the order in which they were made.
  void take(const PhcReading& reading);
  [[nodiscard]] const CardLine& line() const { return line_; }
  // How often one of the clocks was set. Times converted between the two readings around it are wrong; the bound says
  // by how much.
  [[nodiscard]] std::uint32_t steps() const { return steps_; }

private:
  std::optional<PhcReading> newest_;
  CardLine line_;
  std::uint32_t steps_ = 0;
};

}  // namespace lw
