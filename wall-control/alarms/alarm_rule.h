// When an alarm is raised: a quantity that stays beyond a threshold for a while, of any flow or tile. Rules are stored
// as JSON, which people may also write.
#pragma once

#include "common/base/result.h"
#include "wall-control/models/quantity.h"

#include <QByteArray>

#include <vector>

namespace lw {

struct AlarmRule {
  Quantity quantity = Quantity::loss;
  bool below = false;     // raised below the threshold, not above
  double threshold = 0;   // in the quantity's own unit
  double hysteresis = 0;  // ends only when it is better than the threshold by this amount
  double hold_s = 1;      // how long it must last to be raised; and to end, but no less than alarm_end_s
  bool error = false;     // false: a warning
  bool operator==(const AlarmRule&) const = default;
};

inline constexpr std::size_t alarm_rules_max = 64;
inline constexpr double alarm_hold_max_s = 600;
inline constexpr double alarm_end_s = 2;

// "Packets lost by flow above 0 packets/s for 1 s"
QString text_of(const AlarmRule& rule);

// {"alarms": [{"quantity": "lost_settled", "above": 0, "hysteresis": 0, "hold_s": 1, "severity": "warning"}, ...]}
QByteArray to_json(const std::vector<AlarmRule>& rules);
Result<std::vector<AlarmRule>> alarm_rules_from(const QByteArray& json);

// On a dedicated network no packet may be lost. On a long path at a demonstration, losses recovered in time raise no
// alarm.
std::vector<AlarmRule> lan_alarms();
std::vector<AlarmRule> wan_alarms();

}  // namespace lw
