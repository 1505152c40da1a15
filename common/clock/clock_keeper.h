// Keeps the wall's clock of a host ([clock] source = "wall"): a clock that runs by the hardware's counter, so that a
// step of the system clock does not reach the wall. It is the wall's clock itself, or follows that of a server: then it
// estimates the offset from exchanges, and slews so that no frame jumps. While the server does not answer, the clock
// continues with the last drift and a growing error.
//
// One thread updates it (on a node that of the first flow, on a server the control thread); any thread may call
// stats().
#pragma once

#include "common/clock/clock_keeping.h"
#include "common/clock/offset_estimator.h"
#include "common/clock/wall_clock_stats.h"
#include "common/concurrency/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

class ClockKeeper {
public:
  // The wall's clock of the host is kept by this object during its lifetime. It is unknown before the first reply.
  // `host` must outlive it.
  explicit ClockKeeper(ClockKeeping& host);
  ~ClockKeeper() { host_.follow_system(); }
  ClockKeeper(const ClockKeeper&) = delete;
  ClockKeeper& operator=(const ClockKeeper&) = delete;

  // It is the wall's clock from now on: it continues from where it is, or begins at the system time.
  void lead();
  // Another server answers from now on, or the same after a restart: what earlier exchanges proved does not hold for
  // its clock, even if that differs little.
  void begin_anew();

  // The time to send in a request; and that if a request is due.
  RawTime request();
  std::optional<RawTime> next_request();
  // A reply: the time in its request, the server's times, and when it arrived. Ignored if there was no such request.
  // The times: the request had come by the first, and the reply had not left before the second.
  void take_reply(RawTime asked, WallTime request_came, WallTime reply_left, SystemTime arrival);
  // The same for a reply that has arrived by now.
  void take_reply(RawTime asked, WallTime request_came, WallTime reply_left);
  // Call a few times per frame: arrival times are system times, and wrong between a step of the system clock and the
  // next call.
  void step();

  // Empty while the clock is unknown. The error is 0 if it is the wall's clock.
  [[nodiscard]] std::optional<Nanoseconds> error() const;
  [[nodiscard]] ClockStats stats() const { return published_.read(); }

private:
  void end_slewing();
  bool was_asked(RawTime asked);
  void take(const ClockExchange& exchange);
  void set_line(const ClockReading& now, const OffsetEstimate& estimate);
  void publish(RawTime now, const OffsetEstimate& estimate);

  ClockKeeping& host_;
  OffsetEstimator estimator_;
  std::array<RawTime, 64> asked_{};  // newest requests without a reply
  std::size_t next_asked_ = 0;
  RawTime next_request_{};
  unsigned taken_ = 0;  // exchanges since the clock was last unknown
  RawTime last_taken_{};
  std::optional<ClockReading> reading_;  // of the last step
  RawTime system_set_{};                 // when this object noticed last that the system clock was set
  std::optional<WallClockLine> line_;
  double drift_ = 0;  // of the server's clock, as newly fitted
  bool leads_ = false;
  bool led_ = false;  // at some time: frames were timed by it, and no exchange makes it jump by little
  ClockStats counted_;
  Snapshot<ClockStats> published_;
};

}  // namespace lw
