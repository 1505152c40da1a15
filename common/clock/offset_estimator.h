// How far the wall's clock is ahead of this host's counter, from exchanges with the server (two-way time transfer as in
// RFC 5905 section 8).
//
// What an exchange proves: neither the request nor the reply arrived before it was sent. So the offset lies between
// (reply left - answered) and (request came - asked), each widened by how far two oscillators may drift apart since
// then. The intersection over a window contains the true offset whatever the network does; its ends are the error
// bound. The best estimate within it is a line fitted through the middles, weighted towards short round trips. A
// permanent difference between the delays of both directions cannot be detected, but stays within the bound.
//
// Pure. One thread.
#pragma once

#include "common/clock/wall_clock.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <optional>

namespace lw {

struct ClockExchange {
  RawTime asked{};  // read before the request was sent
  // A server that follows another one's clock makes the first later and the second earlier by its error: so both are
  // bounds on the wall's clock.
  WallTime request_came{};  // at the server
  WallTime reply_left{};    // read before the reply was sent
  RawTime answered{};       // when the kernel received the reply
};

// Offsets are wall time since the epoch minus the counter.
struct OffsetEstimate {
  Nanoseconds offset{0};
  Nanoseconds least{0}, most{0};  // the offset is not outside these
  double drift = 0;               // growth of the offset per time
};

class OffsetEstimator {
public:
  static constexpr double drift_max = WallClockLine::drift_max;
  static constexpr std::chrono::seconds window{32};

  enum class Verdict : std::uint8_t {
    taken,
    impossible,   // answered before it was asked: ignored
    contradicts,  // the server's clock was changed: earlier exchanges are dropped
  };
  Verdict add(const ClockExchange& exchange);
  void forget() { entries_.clear(); }
  [[nodiscard]] std::optional<OffsetEstimate> at(RawTime now) const;
  [[nodiscard]] Nanoseconds round_trip_min() const { return round_trip_min_; }  // over the window

private:
  struct Entry {
    RawTime at{};  // the middle of the exchange
    Nanoseconds least{0}, most{0};
  };
  struct Bounds {
    Nanoseconds least, most;
  };
  [[nodiscard]] Bounds bounds_at(RawTime now) const;
  void fit();

  boost::circular_buffer<Entry> entries_{256};
  Nanoseconds round_trip_min_{0};
  // The fitted line.
  RawTime fitted_at_{};
  Nanoseconds offset_{0};
  double drift_ = 0;
};

}  // namespace lw
