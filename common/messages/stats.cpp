#include "common/messages/stats.h"

#include <cmath>

namespace lw {

SiteStats site_stats_of(const Figures<SiteStats>& figures) {
  const auto count = [&](Figures<SiteStats>::Key key) { return figures[key].whole().value_or(0); };
  SiteStats stats;
  stats.flows_heard = static_cast<unsigned>(count("flows_heard"));
  stats.lost = count("lost");
  stats.send_errors = count("send_errors");
  stats.resent = count("resent");
  stats.resent_bytes = count("resent_bytes");
  stats.resends_refused = count("resends_refused");
  stats.rtcp_refused = count("rtcp_refused");
  if (const auto us = figures["rtt_us"].number()) stats.round_trip = Nanoseconds{std::llround(*us * 1000)};
  stats.flows = static_cast<unsigned>(count("flows"));
  stats.resend_budget_bytes_per_s = figures["resend_budget_bytes_per_s"].number();
  return stats;
}

SenderFlowReport report_of(const SenderFlowStats& now, const SenderFlowStats* before, GridCell tile,
                           double interval_s) {
  const auto all = [](const SenderFlowStats& stats) { return stats.bytes + stats.resent_bytes + stats.parity_bytes; };
  std::optional<double> rate;
  if (before != nullptr && interval_s > 0) rate = static_cast<double>(all(now) - all(*before)) * 8 / 1e9 / interval_s;
  std::optional<int> cpu;
  if (now.cpu >= 0) cpu = now.cpu;
  return {now.flow, tile, now.ssrc, cpu, rate, Figures(now)};
}

}  // namespace lw
