// A document of how a wall performed, live or in a recorded session: one self-contained HTML or PDF file, for people
// who have neither the program nor the session. The first page has the verdict, the wall and five figures; then come
// the incidents with charts, the hosts, and how it was measured. GUI thread.
#pragma once

#include "common/messages/info.h"
#include "wall-control/events/event_model.h"
#include "wall-control/plots/export.h"
#include "wall-control/plots/time_plot.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace lw {

// A part of the document that is not divided between pages.
struct ReportBlock {
  enum class Kind : unsigned char { title, section, text, table, drawing };
  Kind kind = Kind::text;
  QString text;  // plain; of a drawing: its title
  // The first row has the headings.
  std::vector<QStringList> rows = {};
  // Of the columns, those that are texts; others are numbers.
  int text_columns = 1;
  Drawing drawing = {};
};

struct Report {
  QString title;
  std::vector<ReportBlock> blocks;
};

// For the time and the part of the wall that the views show. It is drawn in the light theme: the caller keeps a
// LightTheme while the report lives.
Report make_report(const PlotSource& source, const EventModel& events, const InfoReply& info);
// As HTML.
QString report_of(const PlotSource& source, const EventModel& events, const InfoReply& info);
// The ending of `path` decides: .html or .pdf (report_pdf.cpp, on A4). Returns what went wrong, or an empty text.
QString save_report(const QString& path, const PlotSource& source, const EventModel& events, const InfoReply& info);

}  // namespace lw
