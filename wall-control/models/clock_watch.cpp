#include "wall-control/models/clock_watch.h"

#include <QCoreApplication>

namespace lw {
namespace {

QString words(const char* text) { return QCoreApplication::translate("Clock", text); }

QString problem_of(const QString& node, const ClockReport& clock, double frame_interval_us) {
  if (clock.state == ClockState::waiting)
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: node %1 does not know the wall's time yet")).arg(node);
  if (clock.state == ClockState::holdover)
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: node %1 keeps the wall's time without the server")).arg(node);
  const auto error_us = clock.figures["error_us"].number();
  if (error_us && *error_us > frame_interval_us)
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: that of node %1 may be %2 ms wrong, more than a frame lasts"))
        .arg(node)
        .arg(*error_us / 1000, 0, 'f', 0);
  return {};
}

}  // namespace

QString clock_problem(const Stats& stats, double frame_interval_us) {
  for (const auto& node : stats.nodes) {
    if (!node.report || !node.report->clock) continue;
    auto problem = problem_of(QString::fromStdString(node.node), *node.report->clock, frame_interval_us);
    if (!problem.isEmpty()) return problem;
  }
  return {};
}

}  // namespace lw
