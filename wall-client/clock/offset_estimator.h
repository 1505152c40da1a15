// How much the wall's clock is ahead of this host's counter, from exchanges with the server (two-way time transfer, as
// RFC 5905 section 8 does it).
//
// What an exchange proves: the request did not come before it left, nor the reply. So the offset lies between
// (reply left - answered) and (request came - asked), each widened by as much as two oscillators may part since then.
// The intersection over a window holds the truth whatever the network does, and its ends are the error bound. Within
// it the best guess is a line fitted through the middles, those of short round trips counting most: delay that differs
// by direction for good cannot be seen by anybody, but it cannot leave the bound.
//
// Pure. One thread.
#pragma once

#include "common/clock/wall_clock.h"

#include <boost/circular_buffer.hpp>

#include <cstdint>
#include <optional>

namespace lw {

struct ClockExchange {
  RawTime asked{};          // read before the request was sent
  WallTime request_came{};  // at the server
  WallTime reply_left{};    // read before the reply was sent
  RawTime answered{};       // when the kernel had the reply
};

// Offsets are wall time since the epoch less the counter's.
struct OffsetEstimate {
  Nanoseconds offset{0};
  Nanoseconds least{0}, most{0};  // it is not outside
  double drift = 0;               // the share by which it grows
};

class OffsetEstimator {
public:
  // Oscillators of computers are specified to within 50 to 100 parts per million.
  static constexpr double drift_max = 100e-6;
  static constexpr std::chrono::seconds window{32};

  enum class Verdict : std::uint8_t {
    taken,
    impossible,   // answered before it was asked: forgotten
    contradicts,  // what was known: the server's clock is another now, and what was known is forgotten
  };
  Verdict add(const ClockExchange& exchange);
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
