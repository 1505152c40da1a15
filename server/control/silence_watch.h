// Whether a connected node is silent. Counts only the time in which this thread listened: after a delay (a slow disk, a
// blocked terminal), messages that arrived meanwhile are still unread. Pure: the caller passes the time. Control thread
// only.
#pragma once

#include "common/base/units.h"

#include <utility>

namespace lw {

class SilenceWatch {
public:
  static constexpr std::chrono::seconds silence_max{1};  // ten reports
  static constexpr unsigned looks_max = 10;              // between two looks, this thread reads what has arrived

  SilenceWatch() = default;
  explicit SilenceWatch(LocalTime now) : heard_(now) {}

  // Call for any message. Returns whether the node had been silent.
  bool heard(LocalTime now) {
    heard_ = now;
    looks_ = 0;
    return std::exchange(silent_, false);
  }
  // Call ten times a second. Returns whether the node has just become silent.
  bool look(LocalTime now) {
    if (looks_ < looks_max) ++looks_;
    if (silent_ || looks_ < looks_max || now - heard_ < silence_max) return false;
    return silent_ = true;
  }

  [[nodiscard]] bool is_silent() const { return silent_; }

private:
  LocalTime heard_{};
  unsigned looks_ = 0;  // since heard_
  bool silent_ = false;
};

}  // namespace lw
