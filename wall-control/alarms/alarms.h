// Whether alarms are raised: what the rules say of the newest samples of every flow, tile and the wall. Draws nothing
// and knows no clock but the samples', so that a recorded session raises what was raised when it played.
#pragma once

#include "wall-control/alarms/alarm_rule.h"
#include "wall-control/events/event.h"
#include "wall-control/models/flow_history.h"

#include <map>
#include <vector>

namespace lw {

enum class AlarmState : unsigned char { ok, pending, raised, acknowledged };

// Of one rule for one flow, tile or the wall.
class AlarmWatch {
public:
  enum class Change : unsigned char { none, raised, ended };

  // After so many seconds more, with the newest sample. None: nobody knows whether it is better, so nothing ends, but
  // what is pending begins anew.
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
  std::optional<double> value;  // the newest that is known
  qint64 since_ms = 0;          // raised
};

class Alarms {
  Q_DECLARE_TR_FUNCTIONS(Alarms)

public:
  // What is raised is forgotten.
  void set_rules(std::vector<AlarmRule> rules);
  [[nodiscard]] const std::vector<AlarmRule>& rules() const { return rules_; }
  void clear();

  // With the newest samples of the history, a tenth of a second after the last. What was raised and what ended.
  std::vector<Event> step(const FlowHistory& history);
  // All that are raised.
  std::vector<Event> acknowledge(qint64 time_ms);
  // Raised ones, not acknowledged and errors first.
  [[nodiscard]] std::vector<Alarm> raised() const;

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
