// Figures as people read them: three significant digits, a thin space in thousands, and a unit that fits.
#pragma once

#include "wall-control/models/quantity.h"

#include <QString>

namespace lw::figure_text {

struct Text {
  QString value, unit;
  [[nodiscard]] QString joined() const { return unit.isEmpty() ? value : value + ' ' + unit; }
};

QString number(double value);  // "35.4", "0.42", "2 740"
Text time(double us);          // "61 µs", "1.9 ms", "2.4 s"
Text milliseconds(double us);  // "0.42 ms"
Text share(double share);      // "0.82 %"
Text of(Quantity quantity, double value);
QString span(double seconds);      // "38 s", "3 min", "2 h 14 min"
QString title(Quantity quantity);  // "Interarrival jitter"
// The figure with its limit: "6.1 ms, limit 5 ms".
QString with_limit(Quantity quantity, double value, double limit);

}  // namespace lw::figure_text
