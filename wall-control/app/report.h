// A page that says how a wall did, live or in a recorded session: one HTML or PDF file with everything in it, for
// people who have neither the program nor the session.
#pragma once

#include "wall-control/events/event_model.h"
#include "wall-control/plots/time_plot.h"

#include <QString>

#include <memory>
#include <vector>

namespace lw {

// Its words, as HTML without a head; the plots stand between them.
struct ReportText {
  QString title, before_plots, after_plots;
};

// Of the time and the part of the wall that the views show. `info` as the server told it.
ReportText report_text(const PlotSource& source, const EventModel& events, const QJsonObject& info);
// With their samples, of the size that they are to be drawn in.
std::vector<std::unique_ptr<TimePlot>> report_plots(const PlotSource& source);
// As HTML.
QString report_of(const PlotSource& source, const EventModel& events, const QJsonObject& info);
// By the ending of `path`: .html or .pdf (report_pdf.cpp), there with plots as lines, on A4. What went wrong, or
// nothing.
QString save_report(const QString& path, const PlotSource& source, const EventModel& events, const QJsonObject& info);

}  // namespace lw
