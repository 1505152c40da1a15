#include "wall-control/models/clock_watch.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace lw {
namespace {

QString words(const char* text) { return QCoreApplication::translate("Clock", text); }

QString problem_of(const QString& node, const QJsonObject& clock, double frame_interval_us) {
  if (clock["state"].toString() == "waiting")
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: node %1 does not know the wall's time yet")).arg(node);
  if (clock["state"].toString() == "holdover")
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: node %1 keeps the wall's time without the server")).arg(node);
  const auto error_us = clock["error_us"];
  if (error_us.isDouble() && error_us.toDouble() > frame_interval_us)
    return words(QT_TRANSLATE_NOOP("Clock", "Clock off: that of node %1 may be %2 ms wrong, more than a frame lasts"))
        .arg(node)
        .arg(error_us.toDouble() / 1000, 0, 'f', 0);
  return {};
}

}  // namespace

QString clock_problem(const QJsonObject& stats, double frame_interval_us) {
  for (const auto& entry : stats["nodes"].toArray()) {
    const auto node = entry.toObject();
    auto problem = problem_of(node["node"].toString(), node["report"]["clock"].toObject(), frame_interval_us);
    if (!problem.isEmpty()) return problem;
  }
  return {};
}

}  // namespace lw
