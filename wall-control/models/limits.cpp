#include "wall-control/models/limits.h"

#include <algorithm>

namespace lw {
namespace {

// Without a rule. A skew of milliseconds is visible where something moves; half a frame of lateness at 50 Hz is not
// yet.
std::optional<double> usual_limit(Quantity quantity) {
  switch (quantity) {
    case Quantity::loss:
      return 0;
    case Quantity::jitter:
      return 1000;
    case Quantity::skew:
      return 5000;
    case Quantity::lateness:
      return 10'000;
    default:
      return std::nullopt;
  }
}

bool is_learned(Quantity quantity) { return usual_limit(quantity).has_value(); }

}  // namespace

void Limits::set_rules(std::vector<AlarmLimit> rules) { rules_ = std::move(rules); }

std::optional<double> Limits::of(Quantity quantity) const {
  std::optional<double> limit;
  bool strict = false;
  for (const auto& rule : rules_) {
    if (rule.quantity != quantity || rule.below) continue;
    if (!limit || rule.threshold < *limit) strict = rule.error;
    limit = limit ? std::min(*limit, rule.threshold) : rule.threshold;
  }
  if (!limit) limit = usual_limit(quantity);
  const auto usual = learned(quantity);
  return limit && usual && !strict ? std::max(*limit, *usual) : limit;
}

bool Limits::exceeded(Quantity quantity, const std::optional<double>& value) const {
  const auto limit = of(quantity);
  return limit && value && *value > *limit;
}

std::optional<double> Limits::learned(Quantity quantity) const {
  return lessons_[static_cast<std::size_t>(quantity)].learned;
}

bool Limits::is_quiet(const RaisedAlarm& alarm) const {
  const auto usual = learned(alarm.limit.quantity);
  return !alarm.limit.error && !alarm.limit.below && usual && alarm.value && *alarm.value <= *usual;
}

void Limits::learn(Quantity quantity, const std::optional<double>& worst) {
  auto& lesson = lessons_[static_cast<std::size_t>(quantity)];
  if (!is_learned(quantity) || !worst || lesson.learned) return;
  lesson.seconds.push_back(*worst);
  if (lesson.seconds.size() < learning_seconds) return;
  const auto at = lesson.seconds.begin() + static_cast<std::ptrdiff_t>(learned_share * learning_seconds);
  std::ranges::nth_element(lesson.seconds, at);
  lesson.learned = *at * learned_margin;
  lesson.seconds = {};
}

}  // namespace lw
