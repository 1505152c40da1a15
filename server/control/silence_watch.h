// Whether a connected node is silent. Only time in which this thread listened counts: after a delay (a slow disk, a
// blocked terminal), messages that arrived meanwhile are still unread. Pure; the caller passes the time in. Control
// thread only.
#pragma once

#include "common/base/units.h"

#include <utility>

namespace lw {

class SilenceWatch {
public:
  static constexpr std::chrono::seconds silence_max{1};  // ten reports
  static constexpr unsigned looks_max = 10;              // between which this thread read what had come

  SilenceWatch() = default;
  explicit SilenceWatch(LocalTime now) : heard_(now) {}

  // Whatever it said. Whether it had been silent.
  bool heard(LocalTime now) {
    heard_ = now;
    looks_ = 0;
    return std::exchange(silent_, false);
  }
  // Call ten times a second. Whether it has just become silent.
  bool look(LocalTime now) {
    if (looks_ < looks_max) ++looks_;
    if (silent_ || looks_ < looks_max || now - heard_ < silence_max) return false;
    return silent_ = true;
  }

private:
  LocalTime heard_{};
  unsigned looks_ = 0;  // since then
  bool silent_ = false;
};

}  // namespace lw
