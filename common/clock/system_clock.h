// How well this host's system clock is kept, by all that can be asked: what its keeper told the kernel, and a network
// card's PTP clock ([clock] phc). One thread.
#pragma once

#include "common/clock/phc.h"

#include <optional>
#include <string>

namespace lw {

struct SystemClockState {
  std::optional<Nanoseconds> error;       // it is off by no more; empty if no service guarantees a bound
  std::optional<Nanoseconds> phc_offset;  // the card's clock less the system's
};

class SystemClock {
public:
  // `phc`: the device, or empty. One that is of no use is warned of.
  explicit SystemClock(const std::string& phc);
  SystemClock(const std::string& phc, const Phc::Ioctl& ioctl);

  // Asks at most 20 times a second.
  SystemClockState read();

private:
  void start(Result<Phc> phc);
  std::optional<PhcReading> read_phc();
  void warn(const Error& error);

  std::string device_;
  std::optional<Phc> phc_;
  bool warned_ = false;  // of what is still the case
  SystemClockState newest_;
  LocalTime next_{};
};

// The error bound from what the kernel says and from the card's clock: the larger, where there are both.
std::optional<Nanoseconds> clock_error_bound(std::optional<Nanoseconds> kernel, const std::optional<PhcReading>& phc);

}  // namespace lw
