// Which alarms are raised: applies the rules to the newest samples of every flow, tile and the wall. Draws nothing and
// uses no clock but the samples', so that a recorded session raises the same alarms as the live one did.
#pragma once

#include "wall-control/alarms/alarm_rule.h"
#include "wall-control/events/event.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/raised_alarm.h"

#include <map>
#include <vector>

namespace lw {

enum class AlarmState : unsigned char { ok, pending, raised, acknowledged };

// Of one rule for one flow, tile or the wall.
class AlarmWatch {
public:
  enum class Change : unsigned char { none, raised, ended };

  // Advances by so many seconds, with the newest sample. None: nobody knows whether it improved, so nothing ends, but
  // pending alarms start again.
  Change step(const AlarmRule& rule, std::optional<double> value, double seconds);
  void acknowledge();
  [[nodiscard]] AlarmState state() const { return state_; }

private:
  AlarmState state_ = AlarmState::ok;
  double lasted_s_ = 0;  // beyond the threshold while pending, better while raised
};

struct Alarm {
  AlarmRule rule;
  SeriesLine line;
  AlarmState state = AlarmState::ok;
  std::optional<double> value;  // the newest known
  qint64 since_ms = 0;          // raised
};

class Alarms {
  Q_DECLARE_TR_FUNCTIONS(Alarms)

public:
  // Clears all raised alarms.
  void set_rules(std::vector<AlarmRule> rules);
  [[nodiscard]] const std::vector<AlarmRule>& rules() const { return rules_; }
  void clear();

  // Takes the newest samples of the history, a tenth of a second after the last. Returns what was raised and what
  // ended.
  std::vector<Event> step(const FlowHistory& history);
  // All that are raised.
  std::vector<Event> acknowledge(qint64 time_ms);
  // The raised alarms, unacknowledged ones and errors first.
  [[nodiscard]] std::vector<Alarm> raised() const;
  // The same, for the models of the wall's health.
  [[nodiscard]] std::vector<RaisedAlarm> raised_for_health() const;
  [[nodiscard]] std::vector<AlarmLimit> limits() const;

private:
  struct Watched {
    AlarmWatch watch;
    SeriesLine line;
    std::optional<double> value;
    qint64 since_ms = 0;
    Event place;
  };
  using Key = std::pair<std::size_t, int>;  // rule, line

  std::vector<AlarmRule> rules_;
  std::map<Key, Watched> watched_;
};

}  // namespace lw
