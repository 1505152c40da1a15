// What the replies of one STAMP session say of the path there and back.
//
// Each reply has four times: the request left (T1) and arrived (T2), the reply left (T3) and arrived (T4).
//   rtt_us_*            round-trip delay without the time at the reflector, (T4 - T1) - (T3 - T2) (RFC 2681)
//   delay_us_*          one-way delay (RFC 7679), T2 - T1 forward and T4 - T3 in reverse; only where the error of both
//                       clocks is known, and then delay_error_us bounds what they add
//   pdv_us_*            the same above its least value (RFC 5481): the clocks' offset cancels, their drift does not
//   lost, loss, loss_runs, loss_run_max, duplicates, reordered    RFC 7680, RFC 3611, RFC 5560, RFC 4737, by the
//                       sender's sequence number: of the way there and back together
//   lost of a direction a stateful reflector numbers its replies: numbers that did not come are replies that were lost,
//                       the other packets were lost before. Packets after the last that was answered, of which nobody
//                       knows, are undetermined_lost: lost = forward + reverse + undetermined
// Of packets that were answered twice, the first reply counts. Pure.
#pragma once

#include "common/base/units.h"
#include "probe/results/probe_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

// `request_sequence` is below the number of packets that were sent.
struct StampExchange {
  std::uint32_t request_sequence = 0, reply_sequence = 0;
  WallTime sent{}, received{}, returned{}, arrived{};  // T1 to T4
  std::uint8_t request_ttl = 0;                        // on arrival; 0: unknown
  std::optional<std::uint8_t> request_class = {};      // DSCP and ECN, as the reflector received them
  std::uint8_t reply_class = 0;                        // as they were received here
};

struct StampSent {
  std::uint32_t packets = 0;
  std::uint8_t traffic_class = 0;
  // Whether the reflector counts its replies; nothing if it gave no sign of it.
  std::optional<bool> stateful;
  // By how much the two clocks may differ; nothing if nobody guarantees a bound.
  std::optional<Nanoseconds> clock_error;
};

struct StampFigures {
  NamedFigures whole, forward, reverse;
};
// `exchanges`: in the order of the replies' arrival.
StampFigures stamp_figures(const StampSent& sent, const std::vector<StampExchange>& exchanges);

}  // namespace lw
