// Converts between the kernel's timespec and durations since a clock's epoch.
#pragma once

#include "common/base/units.h"

#include <ctime>

namespace lw {

inline Nanoseconds from_timespec(const timespec& time) {
  return std::chrono::seconds{time.tv_sec} + Nanoseconds{time.tv_nsec};
}

inline timespec to_timespec(Nanoseconds time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {static_cast<std::time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

}  // namespace lw
