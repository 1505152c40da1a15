// Decides which lost packets to ask the sender for again, and when (RFC 4585 generic NACKs, sent by RtcpResponder). A
// gap is asked for once it has lasted longer than reordering does here, again when no resend came within a round trip,
// and no more when an answer could not come in time for the frame's presentation. A sender that answers nothing is
// asked for one packet a second only: it is too far away, or sends nothing again. So is one from which nothing can come
// in time: a path that was long for a while is not long for ever.
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
  std::uint64_t asked = 0;     // different packets asked for
  std::uint64_t repeated = 0;  // asked for once more
  std::uint64_t hopeless = 0;  // not asked for: no answer could come in time
  std::uint64_t overflow = 0;  // not asked for: more were missing than are kept track of
};

class ResendRequester {
public:
  static constexpr std::size_t missing_max = 4096;  // packets
  // Before a first answer has come the round trip is taken to be this.
  static constexpr std::chrono::milliseconds first_round_trip{30};
  static constexpr unsigned attempts_max = 8;
  static constexpr unsigned unanswered_max = 64;  // questions, before the sender is thought not to answer

  ResendRequester() : missing_(missing_max) {}

  // Packets [first, last] did not arrive before those behind them. `deadline`: when their frame's band is dropped.
  void miss(std::int64_t first, std::int64_t last, WallTime now, WallTime deadline);
  // The packet came after all, by itself (reordered) or as a resend: true if it was missing and is still of use. Round
  // trips are learned from resends of packets asked for once, also of those that come too late.
  bool found(std::int64_t sequence, bool resent, WallTime now);
  // The packet is no longer needed.
  void forget(std::int64_t sequence);
  // The clock was set back since, if a deadline is later than this: nothing is waited for until then.
  void forget_after(WallTime latest);
  // What is to be asked for now, at most as many as `out` holds. Sequence numbers in ascending order.
  std::span<std::int64_t> take_due(WallTime now, std::span<std::int64_t> out);
  // Another stream begins.
  void restart();

  [[nodiscard]] bool empty() const { return missing_.empty(); }
  // When take_due can next have something; WallTime::max() while nothing is missing.
  [[nodiscard]] WallTime next_look() const { return missing_.empty() ? never : next_look_; }
  // How many packets may still arrive in time.
  [[nodiscard]] std::size_t awaited(WallTime now) const;
  // Smoothed, from asking to answer (RFC 6298 without its minimum); nothing before the first answer.
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
  Nanoseconds reorder_wait_{std::chrono::milliseconds{1}};  // grows with the reordering that is seen
  unsigned unanswered_ = 0;
  WallTime next_probe_{};
  // Asked for though its answer seemed to come too late: is the round trip still what it was?
  std::optional<std::int64_t> remeasured_;
  WallTime remeasure_at_{};
  WallTime next_look_ = never;  // none is due before; there may be thousands, and losses come with load
  ResendCounts counts_;
};

}  // namespace lw
