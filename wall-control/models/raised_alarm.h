// What the models of the wall's health know about alarms: the rules' thresholds, and which alarms are raised. The
// folder `alarms` fills these, because models do not include it.
#pragma once

#include "wall-control/models/quantity.h"

#include <QtGlobal>

#include <optional>

namespace lw {

struct AlarmLimit {
  Quantity quantity = Quantity::loss;
  bool below = false;
  double threshold = 0;
  bool error = false;
};

struct RaisedAlarm {
  AlarmLimit limit;
  int line = 0;  // a flow's number, or the place of a tile in the history
  bool acknowledged = false;
  std::optional<double> value;  // the newest known
  qint64 since_ms = 0;
};

}  // namespace lw
