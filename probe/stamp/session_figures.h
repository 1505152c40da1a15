// The figures of a path, forward and back, from the replies of one STAMP session.
//
// Each reply has four times: the request left (T1) and arrived (T2), the reply left (T3) and arrived (T4).
//   rtt_us_*            round-trip delay without the time at the reflector, (T4 - T1) - (T3 - T2) (RFC 2681)
//   delay_us_*          one-way delay (RFC 7679), T2 - T1 forward and T4 - T3 in reverse; only if the errors of both
//                       clocks are known; clock_error_us is then their bound
//   pdv_us_*            the same above its minimum (RFC 5481): the clocks' offset cancels, their drift does not
//   lost, loss, loss_runs, loss_run_max, duplicates, reordered    RFC 7680, RFC 3611, RFC 5560, RFC 4737, by the
//                       sender's sequence number: for both directions together
//   lost of a direction a stateful reflector numbers its replies: missing numbers are lost replies, other lost packets
//                       were lost before. Packets after the last answered one may be either: undetermined_lost.
//                       lost = forward + reverse + undetermined
// If a packet was answered twice, the first reply counts. Pure.
#pragma once

#include "common/base/units.h"
#include "probe/results/probe_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

// `request_sequence` is less than the number of packets sent.
struct StampExchange {
  std::uint32_t request_sequence = 0, reply_sequence = 0;
  WallTime sent{}, received{}, returned{}, arrived{};  // T1 to T4
  std::uint8_t request_ttl = 0;                        // on arrival; 0: unknown
  std::optional<std::uint8_t> request_class = {};      // DSCP and ECN, as the reflector received them
  std::uint8_t reply_class = 0;                        // as received here
};

struct StampSent {
  std::uint32_t packets = 0;
  std::uint8_t traffic_class = 0;
  // Whether the reflector counts its replies; empty if unknown.
  std::optional<bool> stateful;
  // Bound of the difference between the two clocks; empty if there is no guaranteed bound.
  std::optional<Nanoseconds> clock_error;
};

struct StampFigures {
  NamedFigures whole, forward, reverse;
};
// `exchanges`: in order of the replies' arrival.
StampFigures stamp_figures(const StampSent& sent, const std::vector<StampExchange>& exchanges);

}  // namespace lw
