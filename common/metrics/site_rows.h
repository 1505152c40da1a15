// The rows of the registry (common/metrics/registry.h) for a site.
#pragma once

#include "common/metrics/metric.h"
#include "common/metrics/site_stats.h"

#include <array>

namespace lw::registry {

// Of a site or one of its nodes, by the server's senders.
template <>
struct Registered<SiteStats> {
  using Stats = SiteStats;
  static constexpr auto others = registry::others<>();
  static constexpr std::array rows{
      row<&Stats::flows_heard>({"flows_heard", "site_flows_heard", MetricKind::gauge, "flows", own,
                                "Flows whose node has reported within five seconds",
                                "flows whose node has reported within the last five seconds, directly or by the relay. "
                                "Updated while the wall plays"}),
      row<&Stats::lost>({"lost", "site_lost_packets", MetricKind::balance, "packets", "RFC 3550 section 6.4.1",
                         "Packets that the site's nodes miss, by their newest reports",
                         "sum over the flows of the *cumulative number of packets lost* in the newest report of their "
                         "node. Falls when a node is restarted"}),
      row<&Stats::send_errors>({"send_errors", "site_send_errors_total", MetricKind::counter, "packets", own,
                                "Packets to the site that the kernel refused",
                                "packets to the site's relay or group that the kernel refused, or for which the socket "
                                "had no room"}),
      row<&Stats::resent>({"resent", "site_resent_packets_total", MetricKind::counter, "packets", "RFC 4588 section 4",
                           "Packets that the server resent to the site",
                           "packets that the server resent on request of the site's nodes; those that a relay resends "
                           "are not included"}),
      row<&Stats::resent_bytes>({"resent_bytes", "site_resent_bytes_total", MetricKind::counter, "bytes", own,
                                 "UDP payload of the packets resent to the site", "UDP payload of those"}),
      row<&Stats::resends_refused>({"resends_refused", "site_resends_refused_total", MetricKind::counter, "packets",
                                    own, "Packets that the site requested, and that were not resent",
                                    "requested, but no longer kept, or over the site's `resend_percent`"}),
      row<&Stats::rtcp_refused>({"rtcp_refused", "site_rtcp_refused_packets_total", MetricKind::counter, "packets", own,
                                 "RTCP packets from the site that were not accepted",
                                 "RTCP packets from the site's nodes or relay that were not accepted: malformed, or "
                                 "about another stream"}),
      row<&Stats::round_trip>({"rtt_us", "site_round_trip_seconds", MetricKind::gauge, "µs", "RFC 3550 section 6.4.1",
                               "Longest round trip to the site's nodes",
                               "longest round-trip time to one of the site's nodes, including a relay, from their "
                               "newest reports; absent before the first"}),
      row<&Stats::flows>({"flows", "site_flows", MetricKind::gauge, "flows", own, "Flows that are sent to the site",
                          "flows that are sent to the site, or that a standby keeps ready"}),
      row<&Stats::resend_budget_bytes_per_s>(
          {"resend_budget_bytes_per_s", "site_resend_budget_bytes_per_second", MetricKind::gauge, "bytes/s", own,
           "Rate that resends to the site may have",
           "`resend_percent` of the rate of these flows, for all flows together; each flow has its own share. Absent "
           "before the first frame"}),
  };
};
static_assert(is_complete<SiteStats>());

}  // namespace lw::registry
