#include "common/clock/kernel_clock.h"

#include <sys/timex.h>

#include <fstream>

namespace lw {

std::optional<Nanoseconds> system_clock_error() {
  timex state{};
  const int clock = adjtimex(&state);  // -1 if a container does not let us ask
  if (clock == -1 || clock == TIME_ERROR || (state.status & STA_UNSYNC) != 0) return std::nullopt;
  return std::chrono::microseconds{state.maxerror};
}

std::chrono::seconds tai_less_utc() {
  timex state{};
  adjtimex(&state);
  return std::chrono::seconds{state.tai};
}

std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

}  // namespace lw
