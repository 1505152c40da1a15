#include "wall-control/plots/export.h"

#include "wall-control/plots/columns.h"
#include "wall-control/ui/save_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QSvgGenerator>
#include <QWidget>

namespace lw {
namespace {

// RFC 4180.
QString quoted(const QVariant& value) {
  auto text = value.toString();
  if (!text.contains(',') && !text.contains('"') && !text.contains('\n')) return text;
  return '"' + text.replace('"', "\"\"") + '"';
}

QString iso_time(qint64 time_ms) {
  return QDateTime::fromMSecsSinceEpoch(time_ms, Qt::UTC).toString(Qt::ISODateWithMs);
}

// Rows under headings, in the format of the file's ending. The file is complete or not written at all.
QString save_rows(const QString& path, const QStringList& headings, const QList<QVariantList>& rows) {
  QByteArray content;
  if (path.endsWith(".json", Qt::CaseInsensitive)) {
    QJsonArray array;
    for (const auto& row : rows) {
      QJsonObject object;
      for (int i = 0; i < headings.size(); ++i) object[headings[i]] = QJsonValue::fromVariant(row[i]);
      array << object;
    }
    content = QJsonDocument(array).toJson();
  } else if (path.endsWith(".csv", Qt::CaseInsensitive)) {
    const auto write = [&](const QStringList& cells) { content += cells.join(',').toUtf8() + "\r\n"; };
    QStringList cells;
    for (const auto& heading : headings) cells << quoted(heading);
    write(cells);
    for (const auto& row : rows) {
      cells.clear();
      for (const auto& value : row) cells << quoted(value);
      write(cells);
    }
  } else {
    return QCoreApplication::translate("Export", "%1: use a name that ends with .csv, .json, .png or .svg").arg(path);
  }
  return save_file(path, content);
}

}  // namespace

std::vector<ExportedSample> samples_to_export(const PlotSource& source, const std::vector<Quantity>& quantities) {
  std::vector<ExportedSample> samples;
  const auto range = source.window.chosen();
  const auto span = source.window.span_of(range);
  const int count = samples_of(span);
  for (const auto quantity : quantities) {
    for (const auto& line : source.history.lines(quantity, source.focus.part())) {
      const auto columns = columns_of(*line.series, span, count);
      for (int i = 0; i < count; ++i) {
        const auto& column = columns[static_cast<std::size_t>(i)];
        const auto time = source.history.times().time_of(range.last - (count - 1 - i) * range.count() / count);
        if (column.any && time) samples.push_back({quantity, line.name, *time, column.min, column.max});
      }
    }
  }
  return samples;
}

QString save_samples(const QString& path, const std::vector<ExportedSample>& samples) {
  QList<QVariantList> rows;
  for (const auto& sample : samples)
    rows << QVariantList{info(sample.quantity).key,
                         info(sample.quantity).unit,
                         sample.line,
                         iso_time(sample.time_ms),
                         sample.min,
                         sample.max};
  return save_rows(path, {"quantity", "unit", "line", "time", "min", "max"}, rows);
}

QString save_table(const QString& path, const QAbstractItemModel& table, int role) {
  QStringList headings;
  for (int column = 0; column < table.columnCount(); ++column)
    headings << table.headerData(column, Qt::Horizontal).toString();
  QList<QVariantList> rows;
  for (int row = 0; row < table.rowCount(); ++row) {
    rows << QVariantList{};
    for (int column = 0; column < table.columnCount(); ++column) rows.last() << table.index(row, column).data(role);
  }
  return save_rows(path, headings, rows);
}

QString save_picture(const QString& path, QWidget& view) {
  QByteArray png;
  QBuffer buffer(&png);
  view.grab().save(&buffer, "PNG");
  return save_file(path, png);
}

QString save_drawing(const QString& path, QWidget& view) {
  QByteArray svg;
  QBuffer buffer(&svg);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(view.logicalDpiX());
  generator.setSize(view.size());
  generator.setViewBox(QRect({}, view.size()));
  generator.setTitle(view.accessibleName());
  QPainter painter(&generator);
  view.render(&painter);
  painter.end();
  return save_file(path, svg);
}

}  // namespace lw
