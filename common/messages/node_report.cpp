#include "common/messages/node_report.h"

namespace lw {
namespace {

std::optional<int> pinned(int cpu) { return cpu >= 0 ? std::optional(cpu) : std::nullopt; }

}  // namespace

ReceiverFlowReport report_of(const ReceiverFlowStats& now, const ReceiverFlowStats* before, double interval_s,
                             std::span<const std::size_t> figures) {
  std::optional<double> rate;
  if (before != nullptr && interval_s > 0) rate = static_cast<double>(now.bytes - before->bytes) * 8 / 1e9 / interval_s;
  return {now.flow, now.receiving, now.ssrc, pinned(now.cpu), rate, Figures(now, figures)};
}

TileReport report_of(const TileStats& now, const TileStats* before, GridCell tile, double interval_s,
                     std::span<const std::size_t> figures) {
  std::optional<double> fps;
  if (before != nullptr && interval_s > 0) fps = static_cast<double>(now.swaps - before->swaps) / interval_s;
  return {tile, fps, {}, {}, Figures(now, figures)};
}

ClockReport report_of(const ClockStats& now) { return {now.state, Figures(now)}; }

ProcessReport report_of(const ProcessStats& now, const ProcessStats* before, double interval_s) {
  std::optional<double> share;
  if (now.cpus != 0 && before != nullptr && interval_s > 0) share = (now.cpu_s - before->cpu_s) / interval_s / now.cpus;
  return {share, Figures(now)};
}

std::vector<PresentedFrame> report_of(const std::vector<SwapTime>& swaps) {
  std::vector<PresentedFrame> presented;
  presented.reserve(swaps.size());
  for (const auto& swap : swaps)
    presented.push_back({std::chrono::duration_cast<std::chrono::microseconds>(swap.pts.time_since_epoch()).count(),
                         static_cast<double>(swap.lateness.count()) / 1000});
  return presented;
}

}  // namespace lw
