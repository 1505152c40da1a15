// Interarrival jitter of a video flow, RFC 3550 section 6.4.1 and appendix A.8: J += (|D| - J) / 16, where D is the
// change of (arrival - media time) between two packets. Every packet of a frame has the same RTP timestamp, so within a
// frame the formula would measure our own pacing: feed it the first packet of each frame only.
#pragma once

#include "common/base/units.h"

#include <cstdlib>
#include <optional>

namespace lw {

class InterarrivalJitter {
public:
  void add(WallTime arrival, WallTime media_time) {
    const auto transit = arrival - media_time;
    if (transit_) {
      const double change = std::abs(static_cast<double>((transit - *transit_).count()));
      jitter_ns_ += (change - jitter_ns_) / 16;
      measured_ = true;
    }
    transit_ = transit;
  }
  // A gap (pause, seek, new stream): the next packet is a new start; the smoothed value stays.
  void restart() { transit_.reset(); }

  // Empty before the second packet.
  [[nodiscard]] std::optional<double> microseconds() const {
    return measured_ ? std::optional(jitter_ns_ / 1000) : std::nullopt;
  }
  [[nodiscard]] std::uint32_t rtp_units() const { return static_cast<std::uint32_t>(jitter_ns_ * 90'000 / 1e9); }

private:
  std::optional<Nanoseconds> transit_;
  double jitter_ns_ = 0;
  bool measured_ = false;
};

}  // namespace lw
