// Counts a flow's packets by their traffic class: the DSCP on arrival (RFC 2474), and the ECN field, with which
// routers mark congestion instead of dropping packets (RFC 3168 section 5). Pure.
#pragma once

#include "common/metrics/flow_stats.h"

#include <cstdint>

namespace lw {

// `packets` that arrived with this class; their sender gave them `sent_dscp`.
inline void count_traffic_class(ReceiverFlowStats& stats, std::uint8_t traffic_class, std::uint64_t packets,
                                unsigned sent_dscp) {
  if (!stats.dscp) stats.dscp_changed = stats.ecn_ect0 = stats.ecn_ect1 = stats.ecn_ce = 0;
  stats.dscp = traffic_class >> 2U;
  if (*stats.dscp != sent_dscp) *stats.dscp_changed += packets;
  switch (traffic_class & 3U) {
    case 1:
      *stats.ecn_ect1 += packets;
      break;
    case 2:
      *stats.ecn_ect0 += packets;
      break;
    case 3:
      *stats.ecn_ce += packets;
      break;
    default:
      break;
  }
}

}  // namespace lw
