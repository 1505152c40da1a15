#include "wall-control/plots/export.h"

#include "wall-control/plots/columns.h"
#include "wall-control/ui/csv.h"
#include "wall-control/ui/save_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace lw {
namespace {

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
    content = csv_row(QVariantList(headings.begin(), headings.end())).toUtf8();
    for (const auto& row : rows) content += csv_row(row).toUtf8();
  } else {
    return QCoreApplication::translate("Export", "%1: use a name that ends with .csv, .json, .png, .svg or .pdf")
        .arg(path);
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

namespace {

constexpr int page_margin = 16;
constexpr double pixels_per_inch = 96;
constexpr int print_resolution = 600;

int title_height() { return QFontMetrics(TimePlot::font_of(14, true)).height() + 6; }
int caption_height() { return QFontMetrics(TimePlot::font_of(11)).height() + 6; }

QSize size_of(const Drawing& drawing) {
  return drawing.size + QSize(2 * page_margin, 2 * page_margin + title_height() + caption_height());
}

void draw_all(QPainter& painter, const Drawing& drawing) {
  const auto size = size_of(drawing);
  painter.fillRect(QRect(QPoint(), size), colors::panel);
  painter.setFont(TimePlot::font_of(14, true));
  painter.setPen(colors::text);
  const QRect above(page_margin, page_margin, size.width() - 2 * page_margin, title_height());
  painter.drawText(above, Qt::AlignLeft | Qt::AlignTop, drawing.title);
  painter.save();
  painter.translate(page_margin, page_margin + title_height());
  drawing.draw(painter);
  painter.restore();
  painter.setFont(TimePlot::font_of(11));
  painter.setPen(colors::text2);
  const QRect below(page_margin, size.height() - page_margin - caption_height() + 6, size.width() - 2 * page_margin,
                    caption_height());
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(painter.font()).elidedText(drawing.caption, Qt::ElideRight, below.width()));
}

QByteArray as_png(const Drawing& drawing) {
  constexpr int scale = 2;
  QImage image(size_of(drawing) * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  QPainter painter(&image);
  draw_all(painter, drawing);
  painter.end();
  QByteArray png;
  QBuffer buffer(&png);
  image.save(&buffer, "PNG");
  return png;
}

QByteArray as_svg(const Drawing& drawing) {
  QByteArray svg;
  QBuffer buffer(&svg);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(static_cast<int>(pixels_per_inch));
  generator.setSize(size_of(drawing));
  generator.setViewBox(QRect({}, size_of(drawing)));
  generator.setTitle(drawing.title);
  generator.setDescription(drawing.caption);
  QPainter painter(&generator);
  draw_all(painter, drawing);
  painter.end();
  return svg;
}

QByteArray as_pdf(const Drawing& drawing) {
  QByteArray pdf;
  QBuffer buffer(&pdf);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(print_resolution);
  writer.setPageSize(QPageSize(QSizeF(size_of(drawing)) / pixels_per_inch, QPageSize::Inch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(drawing.title);
  QPainter painter(&writer);
  painter.scale(print_resolution / pixels_per_inch, print_resolution / pixels_per_inch);
  draw_all(painter, drawing);
  painter.end();
  return pdf;
}

}  // namespace

bool is_picture(const QString& path) {
  for (const auto* ending : {".png", ".svg", ".pdf"})
    if (path.endsWith(ending, Qt::CaseInsensitive)) return true;
  return false;
}

QString save_drawing(const QString& path, const Drawing& drawing) {
  if (path.endsWith(".svg", Qt::CaseInsensitive)) return save_file(path, as_svg(drawing));
  if (path.endsWith(".pdf", Qt::CaseInsensitive)) return save_file(path, as_pdf(drawing));
  return save_file(path, as_png(drawing));
}

QString time_caption(const PlotSource& source, const TimeWindow::Range& range) {
  const auto& times = source.history.times();
  const auto first = times.time_of(std::max<qint64>(0, range.first)), last = times.time_of(range.last);
  if (!first || !last) return QCoreApplication::translate("Export", "no time recorded");
  const auto begin = QDateTime::fromMSecsSinceEpoch(*first), end = QDateTime::fromMSecsSinceEpoch(*last);
  const int offset_min = begin.offsetFromUtc() / 60;
  const auto zone = QString("%1 (UTC%2%3:%4)")
                        .arg(begin.timeZoneAbbreviation(), offset_min < 0 ? QString::fromUtf8("\u2212") : "+")
                        .arg(std::abs(offset_min) / 60, 2, 10, QChar('0'))
                        .arg(std::abs(offset_min) % 60, 2, 10, QChar('0'));
  const bool same_day = begin.date() == end.date();
  return QCoreApplication::translate("Export", "%1 to %2 %3")
      .arg(begin.toString("yyyy-MM-dd HH:mm:ss"), end.toString(same_day ? "HH:mm:ss" : "yyyy-MM-dd HH:mm:ss"), zone);
}

}  // namespace lw
