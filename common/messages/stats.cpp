#include "common/messages/stats.h"

namespace lw {

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
