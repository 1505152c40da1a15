// Interarrival jitter of a video flow, RFC 3550 section 6.4.1 and appendix A.8: J += (|D| - J) / 16, where D is the
// change of (arrival - media time) between two packets. Every packet of a frame has the same RTP timestamp, so within a
// frame the formula would measure our own pacing: feed it the first packet of each frame only.
#pragma once

#include "common/base/units.h"

#include <cstdint>
#include <optional>

namespace lw {

class InterarrivalJitter {
public:
  // Returns |D|; empty for the first packet.
  std::optional<Nanoseconds> add(WallTime arrival, WallTime media_time) {
    const auto transit = arrival - media_time;
    std::optional<Nanoseconds> change;
    if (transit_) {
      change = transit > *transit_ ? transit - *transit_ : *transit_ - transit;
      jitter_ns_ += (static_cast<double>(change->count()) - jitter_ns_) / 16;
      measured_ = true;
    }
    transit_ = transit;
    return change;
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

// The same of the frames of a flow: after a gap, the difference of two transit times far apart is not jitter.
class FrameJitter {
public:
  // `tick`: of the frame's stamp, if it has one.
  std::optional<Nanoseconds> add(WallTime arrival, WallTime media_time, std::optional<std::uint16_t> tick) {
    if (tick && last_tick_ && static_cast<std::uint16_t>(*tick - *last_tick_) > ticks_apart_max) jitter_.restart();
    if (tick) last_tick_ = tick;
    return jitter_.add(arrival, media_time);
  }
  void restart() {
    jitter_.restart();
    last_tick_.reset();
  }
  [[nodiscard]] std::optional<double> microseconds() const { return jitter_.microseconds(); }
  [[nodiscard]] std::uint32_t rtp_units() const { return jitter_.rtp_units(); }

private:
  static constexpr unsigned ticks_apart_max = 4;

  InterarrivalJitter jitter_;
  std::optional<std::uint16_t> last_tick_;
};

}  // namespace lw
