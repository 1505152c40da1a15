// A page that documents how a wall performed, live or in a recorded session: one self-contained HTML or PDF file, for
// people who have neither the program nor the session.
#pragma once

#include "common/messages/info.h"
#include "wall-control/events/event_model.h"
#include "wall-control/plots/time_plot.h"

#include <QString>

#include <memory>
#include <vector>

namespace lw {

// The text, as HTML without a head; the plots are placed in it.
struct ReportText {
  QString title, before_plots, after_plots;
};

// For the time and the part of the wall that the views show.
ReportText report_text(const PlotSource& source, const EventModel& events, const InfoReply& info);
// With their samples, in the size in which they are drawn.
std::vector<std::unique_ptr<TimePlot>> report_plots(const PlotSource& source);
// As HTML.
QString report_of(const PlotSource& source, const EventModel& events, const InfoReply& info);
// The ending of `path` decides: .html or .pdf (report_pdf.cpp, with vector plots, on A4). Returns what went wrong, or
// an empty text.
QString save_report(const QString& path, const PlotSource& source, const EventModel& events, const InfoReply& info);

}  // namespace lw
