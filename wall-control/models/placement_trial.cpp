#include "wall-control/models/placement_trial.h"

#include "wall-control/models/quantity.h"

#include <algorithm>

namespace lw {
namespace {

template <class Reports>
auto* of_flow(const Reports& reports, int flow) {
  const auto found = std::ranges::find(reports, static_cast<unsigned>(flow), &Reports::value_type::flow);
  return found == reports.end() ? nullptr : &*found;
}

const ReceiverFlowReport* receiver_of(const Stats& stats, int flow) {
  for (const auto& node : stats.nodes)
    if (const auto* found = node.report ? of_flow(node.report->flows, flow) : nullptr) return found;
  return nullptr;
}

// Growth since the first sample of the window.
std::optional<qint64> grown(std::optional<qint64>& first, const std::optional<double>& now) {
  if (!now) return std::nullopt;
  const auto count = static_cast<qint64>(*now);
  if (!first || count < *first) first = count;
  return count - *first;
}

}  // namespace

void PlacementTrial::begin(const TrialMove& move) {
  *this = PlacementTrial();
  move_ = move;
  stage_ = Stage::before;
}

bool PlacementTrial::add(const Stats& stats) {
  if (stage_ == Stage::idle || stage_ == Stage::done) return false;
  seconds_ += stats.interval_s;
  const auto* sent = of_flow(stats.sender, move_.flow);
  const auto sender = sent != nullptr ? *sent : SenderFlowReport{};
  const auto* receiver = receiver_of(stats, move_.flow);
  if (receiver == nullptr || !receiver->receiving.value_or(false))
    return false;  // nothing plays: there is nothing to compare
  if (stage_ == Stage::before) {
    take(before_, sender.figures, *receiver);
    if (before_.figures.samples < window_samples) return false;
    stage_ = Stage::settling;
    return true;
  }
  arrived_ = arrived_ || (move_.node.isEmpty() ? sender.cpu : receiver->cpu) == move_.to;
  if (stage_ == Stage::settling) {
    if (++settled_ >= settle_samples) stage_ = Stage::after;
    return false;
  }
  take(after_, sender.figures, *receiver);
  if (after_.figures.samples >= window_samples) stage_ = Stage::done;
  return false;
}

void PlacementTrial::take(Window& window, const Figures<SenderFlowStats>& sender,
                          const ReceiverFlowReport& receiver) const {
  auto& figures = window.figures;
  ++figures.samples;
  if (const auto rate = receiver.gbit_per_s) {
    window.gbit_per_s += *rate;
    figures.gbit_per_s = window.gbit_per_s / ++window.rates;
  }
  if (const auto jitter = receiver.figures["jitter_us"].number()) {
    window.jitter_us += *jitter;
    figures.jitter_us = window.jitter_us / ++window.jitters;
  }
  if (const auto late = sender["late_us_max"].number())
    figures.late_us_max = std::max(figures.late_us_max.value_or(0), *late);
  const auto number = [&](Quantity quantity) { return info(quantity).of(receiver.figures.values()).number(); };
  figures.lost = grown(window.first_lost, number(Quantity::loss));
  figures.kernel_drops = grown(window.first_drops, number(Quantity::kernel_drops));
  const auto cpu = (move_.node.isEmpty() ? sender["cpu_s"] : receiver.figures["cpu_s"]).number();
  if (!cpu) return;
  if (!window.first_cpu_s || *cpu < *window.first_cpu_s) {
    window.first_cpu_s = cpu;
    window.first_s = seconds_;
  }
  if (seconds_ > *window.first_s) figures.cpu_share = (*cpu - *window.first_cpu_s) / (seconds_ - *window.first_s);
}

}  // namespace lw
