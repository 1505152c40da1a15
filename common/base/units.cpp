#include "common/base/units.h"

#include <ctime>

namespace lw {

WallTime WallClock::now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return WallTime{std::chrono::seconds{time.tv_sec} + Nanoseconds{time.tv_nsec}};
}

}  // namespace lw
