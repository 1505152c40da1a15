#include "wall-control/models/bursts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lw {
namespace {

// Of a count that was known a sample before; a program that started again counts from zero.
std::optional<qint64> growth_of(std::optional<qint64>& count, const std::optional<qint64>& now, bool follows) {
  const auto before = std::exchange(count, now);
  return follows && before && now && *now >= *before ? std::optional(*now - *before) : std::nullopt;
}

// No wall sends so many; a server that says so must not make sums overflow.
constexpr quint64 burst_count_max = quint64{1} << 53;

std::optional<qint64> bounded(const Figure& figure) {
  const auto number = figure.whole();
  return number ? std::optional(static_cast<qint64>(std::min<quint64>(*number, burst_count_max))) : std::nullopt;
}

void add_bounded(qint64& sum, qint64 more) { sum = std::min(sum + more, static_cast<qint64>(burst_count_max)); }

}  // namespace

void FlowBursts::add(const Figures<ReceiverFlowStats>& figures, qint64 sample) {
  const auto before = std::exchange(sample_, sample);
  const bool follows = before >= 0 && sample == before + 1;
  const auto lost = growth_of(lost_, bounded(figures["lost_settled"]), follows);
  const auto runs = growth_of(runs_, bounded(figures["loss_runs"]), follows);
  const auto packets = growth_of(packets_, bounded(figures["packets"]), follows);
  const auto calls = growth_of(calls_, bounded(figures["calls"]), follows);
  longest_run_ = bounded(figures["loss_run_max"]);
  if (lost && runs) take_losses(*lost, *runs);
  // The ring still has the values of ten minutes before where samples were missed.
  for (auto missed = std::max(before + 1, sample - static_cast<qint64>(per_call_.size())); missed < sample; ++missed)
    if (!per_call_.empty()) per_call_[static_cast<std::size_t>(missed) % per_call_.size()] = 0;
  const bool known = packets && calls && *packets > 0 && *calls > 0;
  take_calls(known ? std::optional(static_cast<double>(*packets) / static_cast<double>(*calls)) : std::nullopt);
}

// A run counts when it has ended, which may be a sample after its last loss.
void FlowBursts::take_losses(qint64 lost, qint64 runs) {
  if (lost == 0) {
    if (runs > 0 && !losses_.empty()) add_bounded(losses_.back().runs, runs);
    return;
  }
  if (losses_.empty() || losses_.back().last + 1 < sample_) losses_.push_back({sample_, sample_, 0, 0});
  auto& burst = losses_.back();
  burst.last = sample_;
  add_bounded(burst.lost, lost);
  add_bounded(burst.runs, runs);
  if (losses_.size() > bursts_max) losses_.pop_front();
}

void FlowBursts::take_calls(std::optional<double> packets_per_call) {
  if (per_call_.empty()) {
    if (!packets_per_call) return;
    per_call_.resize(TimeSeries::samples_max);
  }
  constexpr double greatest = std::numeric_limits<quint16>::max();
  auto& place = per_call_[static_cast<std::size_t>(sample_) % per_call_.size()];
  place =
      packets_per_call ? static_cast<quint16>(std::clamp(*packets_per_call / per_call_resolution, 1.0, greatest)) : 0;
}

std::vector<LossBurst> FlowBursts::losses(qint64 first, qint64 last) const {
  const auto begin = std::ranges::lower_bound(losses_, first, {}, &LossBurst::last);
  const auto end = std::ranges::upper_bound(losses_, last, {}, &LossBurst::first);
  return begin < end ? std::vector<LossBurst>(begin, end) : std::vector<LossBurst>();
}

std::vector<float> FlowBursts::per_call(qint64 first, qint64 last) const {
  std::vector<float> values;
  if (per_call_.empty()) return values;
  const auto size = static_cast<qint64>(per_call_.size());
  for (auto sample = std::max({first, sample_ - size + 1, qint64{0}}); sample <= std::min(last, sample_); ++sample)
    if (const auto value = per_call_[static_cast<std::size_t>(sample % size)])
      values.push_back(static_cast<float>(value * per_call_resolution));
  return values;
}

void Bursts::add(const Stats& stats) {
  const auto sample = history_.times().count() - 1;
  for (const auto& node : stats.nodes) {
    if (!node.report) continue;
    for (const auto& flow : node.report->flows) {
      const auto number = static_cast<int>(flow.flow);
      const bool of_this_wall = history_.part_of_flow(number).column.has_value();
      if (of_this_wall) flows_[number].add(flow.figures, sample);
    }
  }
}

const FlowBursts* Bursts::of(int flow) const {
  const auto found = flows_.find(flow);
  return found == flows_.end() ? nullptr : &found->second;
}

}  // namespace lw
