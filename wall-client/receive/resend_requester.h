// Decides which lost packets to request from the sender, and when (RFC 4585 generic NACKs, sent by RtcpResponder).
// Requests a gap once it has lasted longer than reordering usually does, again if no resend came within a round trip,
// and never when an answer could not arrive before the frame's presentation. If the sender does not answer, requests
// only one packet a second: it is too far away, or does not resend. The same if no answer can arrive in time, so that a
// shorter round trip is noticed.
//
// Pure: sequence numbers and times are passed in. One thread (the flow's); no allocation after construction.
#pragma once

#include "common/base/units.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace lw {

struct ResendCounts {
  std::uint64_t asked = 0;     // different packets requested
  std::uint64_t repeated = 0;  // requested again
  std::uint64_t hopeless = 0;  // not requested: no answer could arrive in time
  std::uint64_t overflow = 0;  // not requested: too many were missing to keep track of
};

class ResendRequester {
public:
  static constexpr std::size_t missing_max = 4096;  // packets
  // The round trip assumed before the first answer.
  static constexpr std::chrono::milliseconds first_round_trip{30};
  static constexpr unsigned attempts_max = 8;
  static constexpr unsigned unanswered_max = 64;  // requests, after which the sender counts as not answering

  ResendRequester() : missing_(missing_max) {}

  // Packets [first, last] did not arrive before later ones. `deadline`: when their frame's band is dropped.
  void miss(std::int64_t first, std::int64_t last, WallTime now, WallTime deadline);
  // The packet arrived after all, as the original (reordered) or as a resend: true if it was missing and is still
  // needed. Round trips are learned from resends of packets requested once, even if those arrive too late.
  bool found(std::int64_t sequence, bool resent, WallTime now);
  // The packet is no longer needed.
  void forget(std::int64_t sequence);
  // If a deadline is later than this, the clock was set back since: drops that packet, instead of waiting until then.
  void forget_after(WallTime latest);
  // Requests to send now, at most as many as `out` holds. Sequence numbers in ascending order.
  std::span<std::int64_t> take_due(WallTime now, std::span<std::int64_t> out);
  // Another stream begins.
  void restart();

  [[nodiscard]] bool empty() const { return missing_.empty(); }
  // When take_due may next return something; WallTime::max() if nothing is missing.
  [[nodiscard]] WallTime next_look() const { return missing_.empty() ? never : next_look_; }
  // How many packets may still arrive in time.
  [[nodiscard]] std::size_t awaited(WallTime now) const;
  // Smoothed time from request to answer (RFC 6298 without its minimum); empty before the first answer.
  [[nodiscard]] std::optional<Nanoseconds> round_trip() const { return round_trip_; }
  [[nodiscard]] const ResendCounts& counts() const { return counts_; }

private:
  static constexpr WallTime never = WallTime::max();
  struct Missing {
    std::int64_t sequence = 0;
    WallTime deadline{};
    WallTime ask_at{};
    WallTime asked_at{};
    unsigned attempts = 0;
    bool found = false;
  };

  [[nodiscard]] boost::circular_buffer<Missing>::iterator place_of(std::int64_t sequence);
  void drop_done(WallTime now);
  void answered();
  [[nodiscard]] Nanoseconds time_to_next(const Missing& missing, WallTime now) const;
  [[nodiscard]] bool remeasures(const Missing& missing, WallTime now);
  WallTime ask(Missing& missing, WallTime now);
  void learn_round_trip(Nanoseconds sample, WallTime now);
  [[nodiscard]] Nanoseconds patience() const;

  boost::circular_buffer<Missing> missing_;  // in ascending order
  std::optional<Nanoseconds> round_trip_;
  Nanoseconds deviation_{0};
  Nanoseconds reorder_wait_{std::chrono::milliseconds{1}};  // grows with the observed reordering
  unsigned unanswered_ = 0;
  WallTime next_probe_{};
  // Requested although an answer seems to be too late, to measure whether the round trip has changed.
  std::optional<std::int64_t> remeasured_;
  WallTime remeasure_at_{};
  WallTime next_look_ = never;  // none is due earlier; saves scanning thousands of packets under load
  ResendCounts counts_;
};

}  // namespace lw
