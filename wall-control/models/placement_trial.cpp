#include "wall-control/models/placement_trial.h"

#include "wall-control/models/json_number.h"

#include <QJsonArray>

#include <algorithm>

namespace lw {
namespace {

QJsonObject of_flow(const QJsonValue& list, int flow) {
  for (const auto& entry : list.toArray())
    if (entry.toObject()["flow"].toInt(-1) == flow) return entry.toObject();
  return {};
}

QJsonObject receiver_of(const QJsonObject& stats, int flow) {
  for (const auto& node : stats["nodes"].toArray())
    if (auto found = of_flow(node.toObject()["report"].toObject()["flows"], flow); !found.isEmpty()) return found;
  return {};
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

bool PlacementTrial::add(const QJsonObject& stats) {
  if (stage_ == Stage::idle || stage_ == Stage::done) return false;
  seconds_ += stats["interval_s"].toDouble();
  const auto sender = of_flow(stats["sender"], move_.flow);
  const auto receiver = receiver_of(stats, move_.flow);
  if (!receiver["receiving"].toBool()) return false;  // nothing plays: there is nothing to compare
  if (stage_ == Stage::before) {
    take(before_, sender, receiver);
    if (before_.figures.samples < window_samples) return false;
    stage_ = Stage::settling;
    return true;
  }
  arrived_ = arrived_ || (move_.node.isEmpty() ? sender : receiver)["cpu"].toInt(-1) == move_.to;
  if (stage_ == Stage::settling) {
    if (++settled_ >= settle_samples) stage_ = Stage::after;
    return false;
  }
  take(after_, sender, receiver);
  if (after_.figures.samples >= window_samples) stage_ = Stage::done;
  return false;
}

void PlacementTrial::take(Window& window, const QJsonObject& sender, const QJsonObject& receiver) const {
  auto& figures = window.figures;
  ++figures.samples;
  if (const auto rate = number(receiver["gbit_per_s"])) {
    window.gbit_per_s += *rate;
    figures.gbit_per_s = window.gbit_per_s / ++window.rates;
  }
  if (const auto jitter = number(receiver["jitter_us"])) {
    window.jitter_us += *jitter;
    figures.jitter_us = window.jitter_us / ++window.jitters;
  }
  if (const auto late = number(sender["late_us_max"]))
    figures.late_us_max = std::max(figures.late_us_max.value_or(0), *late);
  figures.lost = grown(window.first_lost, number(receiver["lost"]));
  figures.kernel_drops = grown(window.first_drops, number(receiver["kernel_drops"]));
  const auto cpu = number((move_.node.isEmpty() ? sender : receiver)["cpu_s"]);
  if (!cpu) return;
  if (!window.first_cpu_s || *cpu < *window.first_cpu_s) {
    window.first_cpu_s = cpu;
    window.first_s = seconds_;
  }
  if (seconds_ > *window.first_s) figures.cpu_share = (*cpu - *window.first_cpu_s) / (seconds_ - *window.first_s);
}

}  // namespace lw
