#include "wall-control/plots/time_ticks.h"

#include <QCoreApplication>
#include <QDateTime>

#include <array>
#include <cmath>

namespace lw {
namespace {

constexpr std::array<qint64, 15> steps_s{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14'400};

QString time_words(const char* text) { return QCoreApplication::translate("Time", text); }

}  // namespace

QString clock_words(qint64 time_ms) { return QDateTime::fromMSecsSinceEpoch(time_ms).toString("HH:mm:ss"); }

std::vector<TimeTick> time_ticks(qint64 first_ms, qint64 last_ms, double width, double label_width) {
  std::vector<TimeTick> ticks;
  if (last_ms <= first_ms || width < label_width) return ticks;
  const double room_s = static_cast<double>(last_ms - first_ms) / 1000 * label_width / width;
  qint64 step_ms = steps_s.back() * 1000;
  for (const auto step : steps_s)
    if (static_cast<double>(step) >= room_s) {
      step_ms = step * 1000;
      break;
    }
  // Full hours of the local clock, even if its offset is not a full hour.
  const qint64 offset_ms = 1000LL * QDateTime::fromMSecsSinceEpoch(last_ms).offsetFromUtc();
  for (qint64 time = (first_ms + offset_ms + step_ms - 1) / step_ms * step_ms - offset_ms; time <= last_ms;
       time += step_ms) {
    const auto label = clock_words(time);
    ticks.push_back({time, step_ms % 60'000 == 0 ? label.left(5) : label});
  }
  return ticks;
}

QString span_words(double seconds) {
  if (seconds < 60) return time_words(QT_TRANSLATE_NOOP("Time", "%1 s")).arg(QString::number(seconds, 'g', 3));
  if (seconds < 3600) {
    const double minutes = std::round(seconds / 6) / 10;
    return time_words(QT_TRANSLATE_NOOP("Time", "%1 min")).arg(QString::number(minutes, 'g', 3));
  }
  const auto minutes = std::llround(seconds / 60);
  if (minutes % 60 == 0) return time_words(QT_TRANSLATE_NOOP("Time", "%1 h")).arg(minutes / 60);
  return time_words(QT_TRANSLATE_NOOP("Time", "%1 h %2 min")).arg(minutes / 60).arg(minutes % 60);
}

}  // namespace lw
