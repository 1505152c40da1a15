// Limits what is sent in addition to the frames (resends), so that the link does not exceed its rate: a token bucket
// (RFC 2697 without colours). Pure: the caller passes the time.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <cstddef>

namespace lw {

class RateBudget {
public:
  // Unused budget of more than `depth` expires, but `least_bytes` can always be saved up: otherwise a stream that sends
  // less than a packet in `depth` could never send one.
  RateBudget(BitRate rate, Nanoseconds depth, std::size_t least_bytes = 0) { set_rate(rate, depth, least_bytes); }

  void set_rate(BitRate rate, Nanoseconds depth, std::size_t least_bytes = 0) {
    bytes_per_ns_ = rate.bits_per_second / 8e9;
    depth_bytes_ = bytes_per_ns_ * static_cast<double>(depth.count());
    if (bytes_per_ns_ > 0) depth_bytes_ = std::max(depth_bytes_, static_cast<double>(least_bytes));
  }
  // True if this many bytes may be sent now; they are then used up.
  bool take(std::size_t bytes, LocalTime now) {
    if (now > filled_) {
      const auto passed =
          filled_ == LocalTime{} ? depth_bytes_ : bytes_per_ns_ * static_cast<double>((now - filled_).count());
      available_ = std::min(depth_bytes_, available_ + passed);
      filled_ = now;
    }
    if (available_ < static_cast<double>(bytes)) return false;
    available_ -= static_cast<double>(bytes);
    return true;
  }

private:
  double bytes_per_ns_ = 0;
  double depth_bytes_ = 0;
  double available_ = 0;
  LocalTime filled_{};
};

}  // namespace lw
