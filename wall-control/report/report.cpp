#include "wall-control/report/report.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/strip_chart.h"
#include "wall-control/report/report_pdf.h"
#include "wall-control/ui/save_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QFontInfo>
#include <QImage>
#include <QPainter>

#include <algorithm>

namespace lw {
namespace {

constexpr qsizetype events_told = 50;
constexpr int plot_width = 900;

// Light, for printing.
constexpr const char* style =
    "body{font:14px sans-serif;color:#1b1f24;max-width:60em;margin:2em auto}"
    "table{border-collapse:collapse;margin:.5em 0}td,th{border:1px solid #ccd;padding:.2em .6em;text-align:right}"
    "td:first-child,th:first-child,.text td{text-align:left}img{max-width:100%;margin:.3em 0}h2{margin:1.2em 0 .3em}";

QString say(const char* text) { return QCoreApplication::translate("Report", text); }

QString row(const QStringList& cells, const QString& tag = "td") {
  QString text = "<tr>";
  for (const auto& cell : cells) text += QString("<%1>%2</%1>").arg(tag, cell.toHtmlEscaped());
  return text + "</tr>\n";
}

QString clock(std::optional<qint64> time_ms) {
  return time_ms ? QDateTime::fromMSecsSinceEpoch(*time_ms).toString("yyyy-MM-dd HH:mm:ss.zzz") : QString("-");
}

QString number(double value, const AxisUnit& unit) { return QString::number(value / unit.size, 'g', 4); }

// The worst of each quantity that was measured.
QString summary_table(const PlotSource& source) {
  const auto span = source.window.span_of(source.window.chosen());
  QString text =
      "<table>" + row({say(QT_TRANSLATE_NOOP("Report", "Quantity")), say(QT_TRANSLATE_NOOP("Report", "Unit")),
                       say(QT_TRANSLATE_NOOP("Report", "Worst")), say(QT_TRANSLATE_NOOP("Report", "Least")),
                       say(QT_TRANSLATE_NOOP("Report", "Median")), say(QT_TRANSLATE_NOOP("Report", "p99")),
                       say(QT_TRANSLATE_NOOP("Report", "Greatest"))},
                      "th");
  for (const auto& quantity : quantities()) {
    const auto rows = summaries(source.history, quantity.quantity, source.focus.part(), span);
    const bool measured = !rows.empty() && rows[0].samples > 0;
    if (!measured && quantity.quantity == Quantity::skew && source.history.wall().skew_unknown)
      text += row({title_of(quantity), {}, say(QT_TRANSLATE_NOOP("Report", "clock error not known")), {}, {}, {}, {}});
    if (!measured) continue;
    const auto& worst = rows[0];
    const auto unit = axis_unit(quantity, worst.greatest);
    text += row({title_of(quantity), unit.name, worst.line.name, number(worst.least, unit), number(worst.median, unit),
                 number(worst.p99, unit), number(worst.greatest, unit)});
  }
  return text + "</table>\n";
}

QString picture(const TimePlot& plot) {
  QImage image(plot.size(), QImage::Format_RGB32);
  QPainter painter(&image);
  plot.draw(painter, true);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  const auto title = title_of(info(plot.quantity())).toHtmlEscaped();
  return QString("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
      .arg(title, QString::fromLatin1(bytes.toBase64()));
}

QString machines(const InfoReply& info) {
  const auto& wall = info.wall;
  const auto text = [](const std::string& words) { return QString::fromStdString(words); };
  const auto by = [](unsigned a, unsigned b) { return QString::fromUtf8("%1 \u00d7 %2").arg(a).arg(b); };
  QString table = "<table class=text>";
  table += row({say(QT_TRANSLATE_NOOP("Report", "Server")),
                QString("%1, %2 %3").arg(text(info.host), text(info.program), text(info.version))});
  table += row({say(QT_TRANSLATE_NOOP("Report", "Wall")), text(wall.name)});
  table += row({say(QT_TRANSLATE_NOOP("Report", "Tiles")), by(wall.columns, wall.rows)});
  table += row({say(QT_TRANSLATE_NOOP("Report", "Pixels of a tile")), by(wall.tile_width, wall.tile_height)});
  if (!wall.pixel_format.empty()) table += row({"pixel_format", text(wall.pixel_format)});
  if (!wall.frame_rate.empty()) table += row({"frame_rate", text(wall.frame_rate)});
  table += row({say(QT_TRANSLATE_NOOP("Report", "Flows")), QString::number(wall.flows.size())});
  for (const auto& node : wall.nodes)
    table += row({say(QT_TRANSLATE_NOOP("Report", "Node %1")).arg(text(node.name)),
                  say(QT_TRANSLATE_NOOP("Report", "%1 tiles %2")).arg(node.tiles.size()).arg(text(node.address))});
  return table + "</table>\n";
}

QString event_table(const PlotSource& source, const EventModel& events) {
  const auto range = source.window.chosen();
  const auto& times = source.history.times();
  const qint64 first = times.time_of(range.first).value_or(0), last = times.time_of(range.last).value_or(0);
  QStringList rows;
  for (const auto& event : events.events())
    if (event.time_ms >= first - SampleTimes::sample_ms && event.time_ms <= last + SampleTimes::sample_ms)
      rows << row({clock(event.time_ms), word_of(event.severity), place_of(event), event.text});
  if (rows.empty()) return "<p>" + say(QT_TRANSLATE_NOOP("Report", "None.")) + "</p>";
  const auto left_out = std::max<qsizetype>(0, rows.size() - events_told);
  QString text = "<table class=text>" + rows.mid(left_out).join(QString()) + "</table>";
  if (left_out > 0) text += "<p>" + say(QT_TRANSLATE_NOOP("Report", "And %1 before these.")).arg(left_out) + "</p>";
  return text;
}

}  // namespace

std::vector<std::unique_ptr<TimePlot>> report_plots(const PlotSource& source) {
  std::vector<std::unique_ptr<TimePlot>> plots;
  const auto add = [&](std::unique_ptr<TimePlot> plot, int height) {
    auto font = plot->font();
    font.setPixelSize(QFontInfo(font).pixelSize());  // points would refer to the page, unlike everything else
    plot->setFont(font);
    plot->resize(plot_width, height);
    plot->collect();
    plots.push_back(std::move(plot));
  };
  for (const auto quantity :
       {Quantity::throughput, Quantity::jitter, Quantity::loss, Quantity::lateness, Quantity::skew})
    add(std::make_unique<StripChart>(source, quantity), 150);
  add(std::make_unique<HeatMap>(source), 240);
  return plots;
}

ReportText report_text(const PlotSource& source, const EventModel& events, const InfoReply& info) {
  const auto range = source.window.chosen();
  const auto& times = source.history.times();
  const auto title = say(QT_TRANSLATE_NOOP("Report", "Wall %1")).arg(QString::fromStdString(info.wall.name));
  const auto section = [](const char* name, const QString& content) {
    return QString("<h2>%1</h2>\n%2").arg(say(name), content);
  };
  return {title,
          QString("<h1>%1</h1>\n<p>%2</p>\n")
                  .arg(title.toHtmlEscaped(), say(QT_TRANSLATE_NOOP("Report", "%1 to %2"))
                                                  .arg(clock(times.time_of(std::max<qint64>(0, range.first))),
                                                       clock(times.time_of(range.last)))) +
              section(QT_TRANSLATE_NOOP("Report", "Figures of the worst flow or tile"), summary_table(source)) +
              section(QT_TRANSLATE_NOOP("Report", "Plots"), {}),
          section(QT_TRANSLATE_NOOP("Report", "Events"), event_table(source, events)) +
              section(QT_TRANSLATE_NOOP("Report", "Machines"), machines(info))};
}

QString report_of(const PlotSource& source, const EventModel& events, const InfoReply& info) {
  const auto text = report_text(source, events, info);
  QString pictures;
  for (const auto& plot : report_plots(source)) pictures += picture(*plot);
  return QString(
             "<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>%1</title><style>%2</style></head><body>\n")
             .arg(text.title.toHtmlEscaped(), style) +
         text.before_plots + pictures + text.after_plots + "</body></html>\n";
}

QString save_report(const QString& path, const PlotSource& source, const EventModel& events, const InfoReply& info) {
  return save_file(path, path.endsWith(".pdf", Qt::CaseInsensitive)
                             ? report_as_pdf(report_text(source, events, info), report_plots(source))
                             : report_of(source, events, info).toUtf8());
}

}  // namespace lw
