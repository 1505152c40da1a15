// What a server's senders count for a site or one of its nodes, as plain values. docs/metrics.md defines each.
#pragma once

#include "common/base/units.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lw {

struct SiteStats {
  unsigned flows_heard = 0;           // flows whose node, or relay, has reported within the last five seconds
  std::uint64_t lost = 0;             // packets that their nodes miss, by their newest reports
  std::uint64_t send_errors = 0;      // packets that the kernel refused, or had no room for
  std::uint64_t resent = 0;           // packets
  std::uint64_t resent_bytes = 0;     // UDP payload of those
  std::uint64_t resends_refused = 0;  // requested, but no longer kept, or over the budget
  std::uint64_t rtcp_refused = 0;     // packets that were not accepted
  std::optional<Nanoseconds> round_trip;
  unsigned flows = 0;                               // that the server sends there
  std::optional<double> resend_budget_bytes_per_s;  // that resends may have; empty before the first frame

  // Adds another flow or node: counts and budgets add up, and the longest round trip remains.
  SiteStats& operator+=(const SiteStats& other) {
    flows_heard += other.flows_heard;
    lost += other.lost;
    send_errors += other.send_errors;
    resent += other.resent;
    resent_bytes += other.resent_bytes;
    resends_refused += other.resends_refused;
    rtcp_refused += other.rtcp_refused;
    round_trip = std::max(round_trip, other.round_trip);
    flows += other.flows;
    if (const auto more = other.resend_budget_bytes_per_s)
      resend_budget_bytes_per_s = resend_budget_bytes_per_s.value_or(0) + *more;
    return *this;
  }
};

}  // namespace lw
