// Synchronizes the wall's clock of a host to the server's ([clock] source = "wall"): asks the server for its time,
// estimates the offset, and slews towards it so that no frame jumps. While the server does not answer, the clock
// continues with the last drift and a growing error.
//
// One thread updates it (that of the node's first flow); any thread may call stats().
#pragma once

#include "common/clock/clock_keeping.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/clock_stats.h"
#include "wall-client/clock/offset_estimator.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lw {

class NodeClock {
public:
  // The wall's clock of the host follows this object during its lifetime. `host` must outlive it.
  explicit NodeClock(ClockKeeping& host);
  ~NodeClock() { host_.follow_system(); }
  NodeClock(const NodeClock&) = delete;
  NodeClock& operator=(const NodeClock&) = delete;

  // Another server answers from now on, or the same after a restart: what earlier exchanges proved does not hold for
  // its clock, even if that differs little.
  void begin_anew();
  // The time to send in a request, if a request is due.
  std::optional<RawTime> next_request();
  // A reply: the time in its request, the server's times, and when it arrived. Ignored if there was no such request.
  void take_reply(RawTime asked, WallTime request_came, WallTime reply_left, SystemTime arrival);
  // Call a few times per frame.
  void step();

  [[nodiscard]] ClockStats stats() const { return published_.read(); }

private:
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
  ClockStats counted_;
  Snapshot<ClockStats> published_;
};

}  // namespace lw
