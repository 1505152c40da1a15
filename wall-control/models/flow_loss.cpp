#include "wall-control/models/flow_loss.h"

#include "wall-control/models/line_summary.h"

#include <algorithm>

namespace lw {
namespace {

std::optional<double> share_of(const std::optional<double>& part, const std::optional<double>& all) {
  if (!part || all.value_or(0) <= 0) return std::nullopt;
  return std::min(1.0, *part / *all);
}

void add_rate(std::optional<double>& sum, const std::optional<double>& rate) {
  if (rate) sum = sum.value_or(0) + *rate;
}

}  // namespace

std::optional<double> FlowLoss::dropped_share() const { return share_of(kernel_drops, lost); }

std::optional<double> FlowLoss::repaired_share() const { return share_of(repaired, lost); }

void FlowLoss::add(const SeriesSet& series, const SampleSpan& span) {
  const auto lost_here = rate_of(series.of(Quantity::loss), span);
  add_rate(lost, lost_here);
  if (lost_here.value_or(0) <= 0) return;
  add_rate(kernel_drops, rate_of(series.of(Quantity::kernel_drops), span));
  add_rate(repaired, rate_of(series.of(Quantity::repaired), span));
  add_rate(repaired, rate_of(series.of(Quantity::rebuilt), span));
}

FlowLoss flow_loss(const SeriesSet& series, const SampleSpan& span) {
  FlowLoss loss;
  loss.add(series, span);
  if (!loss.any()) loss.kernel_drops = rate_of(series.of(Quantity::kernel_drops), span);
  return loss;
}

}  // namespace lw
