// The moments at which a time axis has a line and a label: full seconds, minutes or hours of the local clock.
#pragma once

#include <QString>

#include <vector>

namespace lw {

struct TimeTick {
  qint64 time_ms = 0;  // since 1970
  QString label;       // "14:23:10", or "14:23" where all are full minutes
};

// As many as fit, each label with `label_width` of the width.
std::vector<TimeTick> time_ticks(qint64 first_ms, qint64 last_ms, double width, double label_width);
QString clock_words(qint64 time_ms);  // "14:23:10"
// "7 s", "1.5 min", "2 h 14 min".
QString span_words(double seconds);

}  // namespace lw
