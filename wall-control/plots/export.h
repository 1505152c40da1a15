// Saves what is shown as a file: figures as CSV or JSON, the plot as PNG, or line by line as SVG.
#pragma once

#include "wall-control/plots/time_plot.h"

#include <QAbstractItemModel>
#include <QString>

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
QString save_picture(const QString& path, QWidget& view);
QString save_drawing(const QString& path, QWidget& view);

}  // namespace lw
