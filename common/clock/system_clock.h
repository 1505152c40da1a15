// How well this host's system clock is synchronized, from all sources: what the synchronizing service told the kernel,
// and a network card's PTP clock ([clock] phc). One thread.
#pragma once

#include "common/clock/phc.h"

#include <optional>
#include <string>

namespace lw {

struct SystemClockState {
  std::optional<Nanoseconds> error;       // bound; empty if no service guarantees one
  std::optional<Nanoseconds> phc_offset;  // card's clock minus system clock
};

class SystemClock {
public:
  // `phc`: the device, or empty. Logs a warning if it cannot be used.
  explicit SystemClock(const std::string& phc);
  SystemClock(const std::string& phc, const Phc::Ioctl& ioctl);

  // Reads at most 20 times a second.
  SystemClockState read();

private:
  void start(Result<Phc> phc);
  std::optional<PhcReading> read_phc();
  void warn(const Error& error);

  std::string device_;
  std::optional<Phc> phc_;
  bool warned_ = false;  // about a problem that persists
  SystemClockState newest_;
  LocalTime next_{};
};

// The error bound from the kernel's and from the card's clock: the larger one if there are both.
std::optional<Nanoseconds> clock_error_bound(std::optional<Nanoseconds> kernel, const std::optional<PhcReading>& phc);

}  // namespace lw
