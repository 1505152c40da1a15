#include "wall-control/alarms/alarms.h"

#include "wall-control/plots/columns.h"

#include <algorithm>

namespace lw {
namespace {

// Ten steps of a tenth are a second, whatever their sum.
constexpr double rounding_s = 1e-6;

bool beyond(const AlarmRule& rule, double value) {
  return rule.below ? value < rule.threshold : value > rule.threshold;
}

bool better(const AlarmRule& rule, double value) {
  return rule.below ? value >= rule.threshold + rule.hysteresis : value <= rule.threshold - rule.hysteresis;
}

AlarmLimit limit_of(const AlarmRule& rule) { return {rule.quantity, rule.below, rule.threshold, rule.error}; }

// The flow, tile or wall of the alarm.
Event place_of(const FlowHistory& history, Scope scope, int index) {
  Event event;
  Part part;
  if (scope == Scope::flow) {
    part = history.part_of_flow(index);
  } else if (scope == Scope::tile) {
    const auto& tile = history.tiles()[static_cast<std::size_t>(index)];
    part = {tile.column, tile.row, {}};
  }
  event.column = part.column;
  event.row = part.row;
  event.flow = part.flow;
  if (part.column)
    if (const auto* tile = history.tile(*part.column, *part.row)) event.node = tile->node;
  return event;
}

}  // namespace

AlarmWatch::Change AlarmWatch::step(const AlarmRule& rule, std::optional<double> value, double seconds) {
  const bool is_raised = state_ == AlarmState::raised || state_ == AlarmState::acknowledged;
  if (is_raised) {
    lasted_s_ = value && better(rule, *value) ? lasted_s_ + seconds : 0;
    if (lasted_s_ + rounding_s < std::max(rule.hold_s, alarm_end_s)) return Change::none;
    *this = {};
    return Change::ended;
  }
  if (!value || !beyond(rule, *value)) {
    *this = {};
    return Change::none;
  }
  lasted_s_ += seconds;
  state_ = AlarmState::pending;
  if (lasted_s_ + rounding_s < rule.hold_s) return Change::none;
  state_ = AlarmState::raised;
  lasted_s_ = 0;
  return Change::raised;
}

void AlarmWatch::acknowledge() {
  if (state_ == AlarmState::raised) state_ = AlarmState::acknowledged;
}

void Alarms::set_rules(std::vector<AlarmRule> rules) {
  rules_ = std::move(rules);
  clear();
}

void Alarms::clear() { watched_.clear(); }

std::vector<Event> Alarms::step(const FlowHistory& history) {
  std::vector<Event> events;
  const auto now = history.times().time_of(history.times().count() - 1).value_or(0);
  constexpr double seconds = 1.0 / TimeSeries::samples_per_second;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const auto& rule = rules_[i];
    const auto scope = info(rule.quantity).scope;
    // If nothing plays, an empty queue of frames is not a problem.
    const bool idle = rule.quantity == Quantity::playout_level && !history.wall().frame;
    for (auto& line : history.lines(rule.quantity)) {
      auto& watched = watched_[{i, line.index}];
      const auto value = idle ? std::nullopt : line.series->back(0);
      if (value) watched.value = value;
      const auto change = watched.watch.step(rule, value, seconds);
      if (change == AlarmWatch::Change::none) continue;
      const bool raised = change == AlarmWatch::Change::raised;
      watched.line = line;
      watched.since_ms = now;
      auto event = place_of(history, scope, line.index);
      event.time_ms = now;
      event.severity = !raised ? Severity::info : rule.error ? Severity::error : Severity::warning;
      event.code = raised ? "alarm-raised" : "alarm-ended";
      const auto words = raised ? tr("alarm: %1: %2") : tr("alarm ended: %1: %2");
      event.text = words.arg(line.name, text_of(rule));
      watched.place = event;
      events.push_back(std::move(event));
    }
  }
  return events;
}

std::vector<Event> Alarms::acknowledge(qint64 time_ms) {
  std::vector<Event> events;
  for (auto& [key, watched] : watched_) {
    if (watched.watch.state() != AlarmState::raised) continue;
    watched.watch.acknowledge();
    auto event = watched.place;
    event.time_ms = time_ms;
    event.severity = Severity::info;
    event.code = "alarm-acknowledged";
    event.text = tr("alarm acknowledged: %1: %2").arg(watched.line.name, text_of(rules_[key.first]));
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<Alarm> Alarms::raised() const {
  std::vector<Alarm> alarms;
  for (const auto& [key, watched] : watched_) {
    const auto state = watched.watch.state();
    if (state == AlarmState::raised || state == AlarmState::acknowledged)
      alarms.push_back({rules_[key.first], watched.line, state, watched.value, watched.since_ms});
  }
  std::ranges::stable_sort(alarms, [](const Alarm& a, const Alarm& b) {
    if (a.state != b.state) return a.state == AlarmState::raised;
    return a.rule.error && !b.rule.error;
  });
  return alarms;
}

std::vector<RaisedAlarm> Alarms::raised_for_health() const {
  std::vector<RaisedAlarm> alarms;
  for (const auto& alarm : raised())
    alarms.push_back(
        {limit_of(alarm.rule), alarm.line.index, alarm.state == AlarmState::acknowledged, alarm.value, alarm.since_ms});
  return alarms;
}

std::vector<AlarmLimit> Alarms::limits() const {
  std::vector<AlarmLimit> limits;
  for (const auto& rule : rules_) limits.push_back(limit_of(rule));
  return limits;
}

}  // namespace lw
