// Limits how many events from outside are handled, per second and at once (a token bucket). The caller ignores or
// discards the rest. Pure: the caller passes the time.
#pragma once

#include "common/base/units.h"

#include <algorithm>

namespace lw {

class FloodLimit {
public:
  FloodLimit(double per_second, double at_once) : per_ns_(per_second / 1e9), at_once_(at_once), left_(at_once) {}

  // Counts one more; false if it exceeds the limit.
  bool take(LocalTime now) {
    fill(now);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }
  [[nodiscard]] bool spent(LocalTime now) {
    fill(now);
    return left_ < 1;
  }

private:
  void fill(LocalTime now) {
    if (filled_ != LocalTime{} && now > filled_)
      left_ = std::min(at_once_, left_ + per_ns_ * static_cast<double>((now - filled_).count()));
    filled_ = std::max(filled_, now);
  }

  double per_ns_;
  double at_once_;
  double left_;
  LocalTime filled_{};
};

}  // namespace lw
