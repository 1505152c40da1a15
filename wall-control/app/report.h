// A page that says how a wall did, live or in a recorded session: one HTML file with everything in it, for people who
// have neither the program nor the session.
#pragma once

#include "wall-control/events/event_model.h"
#include "wall-control/plots/time_plot.h"

#include <QString>

namespace lw {

// Of the time and the part of the wall that the views show. `info` as the server told it.
QString report_of(const PlotSource& source, const EventModel& events, const QJsonObject& info);
// What went wrong, or nothing.
QString save_report(const QString& path, const QString& report);

}  // namespace lw
