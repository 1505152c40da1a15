// Saves what charts show: figures as CSV or JSON; a chart itself, without the controls around it, as PNG, SVG or PDF,
// in the light theme, with its legend and a caption.
#pragma once

#include "wall-control/plots/time_plot.h"
#include "wall-control/ui/palette.h"

#include <QAbstractItemModel>
#include <QString>

#include <functional>
#include <vector>

namespace lw {

// A value of a plot, or the least and the greatest of a second where only seconds are kept.
struct ExportedSample {
  Quantity quantity = Quantity::throughput;
  QString line;        // "flow 3"
  qint64 time_ms = 0;  // since 1970
  double min = 0, max = 0;
};
// The chosen time of the quantities, for the part of the wall shown, oldest first, without gaps.
std::vector<ExportedSample> samples_to_export(const PlotSource& source, const std::vector<Quantity>& quantities);

// One row for each sample (quantity, unit, line, time, min, max), or an array of objects with these keys. The ending
// of `path` decides: .csv or .json. Returns what went wrong, or an empty text.
QString save_samples(const QString& path, const std::vector<ExportedSample>& samples);
// A table as currently sorted, with the data of this role and the headings as keys. Figures not measured are empty.
QString save_table(const QString& path, const QAbstractItemModel& table, int role);

// While it lives, everything is drawn in the light theme, for paper. Whatever is drawn must be made meanwhile.
class LightTheme {
public:
  LightTheme() : before_(colors::theme()) { colors::use(Theme::light); }
  ~LightTheme() { colors::use(before_); }
  LightTheme(const LightTheme&) = delete;
  LightTheme& operator=(const LightTheme&) = delete;

private:
  Theme before_;
};

// A chart on paper.
struct Drawing {
  QSize size;
  std::function<void(QPainter& painter)> draw;
  QString title, caption;
};
bool is_picture(const QString& path);  // .png, .svg or .pdf
QString save_drawing(const QString& path, const Drawing& drawing);
// "2026-01-31 12:00:00 to 12:01:00 CET (UTC+01:00)"
QString time_caption(const PlotSource& source, const TimeWindow::Range& range);

}  // namespace lw
