#include "wall-control/report/report.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/report/incidents.h"
#include "wall-control/report/report_pdf.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/save_file.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/type.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <memory>

namespace lw {
namespace {

using Kind = ReportBlock::Kind;

constexpr std::size_t charts_max = 6, rows_max = 24, events_max = 48;
constexpr int drawing_width = 900, chart_height = 300, wall_height = 220, figures_height = 96;
constexpr int around_ms = 30'000;
constexpr const char* dot = " \u00b7 ";

// Light, for printing; no block is divided.
constexpr const char* style =
    "body{font:14px sans-serif;color:#15191d;max-width:60em;margin:2em auto}h1{font-size:24px;margin:0 0 .2em}"
    "h2{font-size:17px;margin:1.6em 0 .4em;break-after:avoid}table{border-collapse:collapse;margin:.5em 0;break-inside:"
    "avoid}td,th{border-bottom:1px solid #d0d6dc;padding:.25em .8em;text-align:right}th{color:#434c55;font-weight:600}"
    ".text{text-align:left}figure{margin:.6em 0;break-inside:avoid}img{max-width:100%}figcaption{color:#434c55}"
    "p{margin:.4em 0}@page{size:A4;margin:16mm}@media print{body{margin:0}.first{break-after:page}}";

QString report_words(const char* text) { return QCoreApplication::translate("Report", text); }
QString text_of(const std::string& words) { return QString::fromStdString(words); }

ReportBlock section(const QString& name) { return {Kind::section, name}; }
ReportBlock paragraph(const QString& words) { return {Kind::text, words}; }

// What the report is made from, once.
struct Matter {
  PlotSource source;
  const InfoReply& info;
  TimeWindow::Range range;
  SampleSpan span;
  std::vector<Incident> incidents;
};

struct KeyFigure {
  QString name, value, context;
  bool beyond = false;
};

std::optional<LineSummary> worst_of(const Matter& matter, Quantity quantity) {
  const auto all = summaries(matter.source.history, quantity, matter.source.focus.part(), matter.span);
  return all.empty() || all[0].samples == 0 ? std::nullopt : std::optional(all[0]);
}

QString not_measured() { return report_words(QT_TRANSLATE_NOOP("Report", "not measured")); }

KeyFigure throughput_of(const Matter& matter) {
  KeyFigure figure{name_of(info(Quantity::throughput)), not_measured(), {}, false};
  double sum = 0;
  int flows = 0;
  for (const auto& line :
       summaries(matter.source.history, Quantity::throughput, matter.source.focus.part(), matter.span)) {
    if (line.samples == 0) continue;
    sum += line.median;
    ++flows;
  }
  if (flows == 0) return figure;
  figure.value = with_unit(info(Quantity::throughput), sum);
  figure.context = report_words(QT_TRANSLATE_NOOP("Report", "median, %1")).arg(counts::flows(flows));
  return figure;
}

KeyFigure loss_figure(const Matter& matter) {
  KeyFigure figure{report_words(QT_TRANSLATE_NOOP("Report", "Packet loss")), not_measured(), {}, false};
  LossTotals all;
  for (const auto& line : matter.source.history.lines(Quantity::loss, matter.source.focus.part()))
    for (const auto& flow : matter.source.history.flows()) {
      if (flow.flow != line.index) continue;
      const auto totals = loss_of(flow, matter.span);
      all.lost += totals.lost;
      all.repaired += totals.repaired;
      all.measured = all.measured || totals.measured;
    }
  if (!all.measured) return figure;
  const bool exact = TimeSeries::kept_whole(matter.span);
  const auto count = exact ? report_words(QT_TRANSLATE_NOOP("Report", "%1 packets"))
                           : report_words(QT_TRANSLATE_NOOP("Report", "at least %1 packets"));
  figure.value = count.arg(short_number(std::round(all.lost)));
  const auto repaired = exact ? report_words(QT_TRANSLATE_NOOP("Report", "%1 % repaired in time"))
                              : report_words(QT_TRANSLATE_NOOP("Report", "about %1 % repaired in time"));
  figure.context = all.lost <= 0 ? report_words(QT_TRANSLATE_NOOP("Report", "none lost"))
                                 : repaired.arg(std::floor(100 * std::min(1.0, all.repaired / all.lost)));
  figure.beyond = all.lost > 0;
  return figure;
}

KeyFigure time_figure(const Matter& matter, Quantity quantity) {
  KeyFigure figure{name_of(info(quantity)), not_measured(), {}, false};
  const auto worst = worst_of(matter, quantity);
  if (!worst && quantity == Quantity::skew && matter.source.history.wall().skew_unknown)
    figure.context = report_words(QT_TRANSLATE_NOOP("Report", "clock error not known"));
  if (!worst) return figure;
  figure.value = with_unit(info(quantity), worst->p99);
  QStringList context{info(quantity).scope == Scope::wall
                          ? report_words(QT_TRANSLATE_NOOP("Report", "99 % of the time at or below"))
                          : report_words(QT_TRANSLATE_NOOP("Report", "p99 of the worst, %1")).arg(worst->line.name)};
  const auto limit = matter.source.notes == nullptr ? std::nullopt : matter.source.notes->limit(quantity);
  if (limit) context << report_words(QT_TRANSLATE_NOOP("Report", "limit %1")).arg(with_unit(info(quantity), *limit));
  figure.context = context.join(dot);
  figure.beyond = limit && worst->p99 > *limit;
  return figure;
}

std::vector<KeyFigure> five_figures(const Matter& matter) {
  return {throughput_of(matter), loss_figure(matter), time_figure(matter, Quantity::jitter),
          time_figure(matter, Quantity::skew), time_figure(matter, Quantity::lateness)};
}

struct Answer {
  State state;
  QString words, context;
};

Answer verdict_of(const Matter& matter, const std::vector<KeyFigure>& figures) {
  const auto count = [&](State state) {
    return static_cast<int>(std::ranges::count(matter.incidents, state, &Incident::state));
  };
  const auto seconds = static_cast<double>(matter.span.count) / TimeSeries::samples_per_second;
  const auto all = matter.incidents.size();
  const auto words = all == 0   ? report_words(QT_TRANSLATE_NOOP("Report", "%1, no incident"))
                     : all == 1 ? report_words(QT_TRANSLATE_NOOP("Report", "%1, one incident"))
                                : report_words(QT_TRANSLATE_NOOP("Report", "%1, %2 incidents"));
  const auto context = all > 1 ? words.arg(span_words(seconds)).arg(all) : words.arg(span_words(seconds));
  if (std::ranges::all_of(figures, [](const KeyFigure& figure) { return figure.value == not_measured(); }))
    return {State::off, report_words(QT_TRANSLATE_NOOP("Report", "Nothing was measured")), span_words(seconds)};
  if (count(State::crit) > 0)
    return {State::crit, report_words(QT_TRANSLATE_NOOP("Report", "Picture faults")), context};
  const bool beyond = std::ranges::any_of(figures, &KeyFigure::beyond);
  if (beyond || !matter.incidents.empty())
    return {State::warn, report_words(QT_TRANSLATE_NOOP("Report", "Degraded, picture intact")), context};
  return {State::ok, report_words(QT_TRANSLATE_NOOP("Report", "Wall healthy")), context};
}

void draw_verdict(QPainter& painter, const Answer& verdict) {
  paint_state(painter, verdict.state, QRectF(2, 8, 36, 36));
  painter.setPen(colors::text);
  painter.setFont(TimePlot::font_of(22, true));
  painter.drawText(QRect(52, 2, drawing_width - 52, 28), Qt::AlignLeft | Qt::AlignVCenter, verdict.words);
  painter.setPen(colors::text2);
  painter.setFont(TimePlot::font_of(13));
  painter.drawText(QRect(52, 30, drawing_width - 52, 20), Qt::AlignLeft | Qt::AlignVCenter, verdict.context);
}

void draw_figures(QPainter& painter, const std::vector<KeyFigure>& figures) {
  const int width = drawing_width / static_cast<int>(figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto& figure = figures[i];
    const QRect place(static_cast<int>(i) * width, 0, width - 12, figures_height);
    painter.setPen(colors::line);
    painter.drawLine(place.topLeft(), place.topRight());
    painter.setFont(TimePlot::font_of(11));
    painter.setPen(colors::text2);
    painter.drawText(place.adjusted(0, 8, 0, 0), Qt::AlignLeft | Qt::AlignTop, figure.name);
    painter.setFont(TimePlot::font_of(18, true));
    painter.setPen(figure.beyond ? colors::warn : colors::text);
    painter.drawText(place.adjusted(0, 26, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                     QFontMetrics(painter.font()).elidedText(figure.value, Qt::ElideRight, place.width()));
    painter.setFont(TimePlot::font_of(11));
    painter.setPen(colors::text3);
    painter.drawText(place.adjusted(0, 54, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, figure.context);
  }
}

// Previews are not part of a session: the wall is drawn with the state of each tile over the chosen time.
void draw_wall(QPainter& painter, const std::vector<std::pair<QRect, State>>& tiles, const QSize& grid) {
  const int legend = 26;
  const double cell = std::min((drawing_width - 40.0) / grid.width(), (wall_height - legend - 4.0) / grid.height());
  const double tall = std::min(cell, (wall_height - legend - 4.0) / grid.height());
  const double wide = std::min((drawing_width - 40.0) / grid.width(), tall * 1.6);
  for (const auto& [place, state] : tiles) {
    const QRectF rect(place.x() * wide + 1, place.y() * tall + 1, place.width() * wide - 2, place.height() * tall - 2);
    painter.setPen(state == State::ok ? QPen(colors::edge, 1)
                                      : QPen(color_of(state), 2, state == State::off ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(state == State::ok ? colors::raised : soft_color_of(state));
    painter.drawRect(rect);
    const double size = std::min({18.0, rect.width() - 4, rect.height() - 4});
    if (state != State::ok && size > 5)
      paint_state(painter, state, QRectF(rect.center().x() - size / 2, rect.center().y() - size / 2, size, size));
  }
  double x = 0;
  painter.setFont(TimePlot::font_of(11));
  const QFontMetrics metrics(painter.font());
  for (const auto& [state, words] :
       {std::pair{State::ok, report_words(QT_TRANSLATE_NOOP("Report", "no packet lost"))},
        std::pair{State::warn, report_words(QT_TRANSLATE_NOOP("Report", "packets lost, all repaired"))},
        std::pair{State::crit, report_words(QT_TRANSLATE_NOOP("Report", "packets lost, rows concealed"))},
        std::pair{State::off, report_words(QT_TRANSLATE_NOOP("Report", "nothing received"))}}) {
    paint_state(painter, state, QRectF(x + 1, wall_height - 18, 13, 13));
    painter.setPen(colors::text2);
    painter.drawText(QRectF(x + 20, wall_height - 20, 260, 18), Qt::AlignLeft | Qt::AlignVCenter, words);
    x += 44 + metrics.horizontalAdvance(words);
  }
}

ReportBlock wall_block(const Matter& matter) {
  std::vector<std::pair<QRect, State>> tiles;
  QSize grid(1, 1);
  for (const auto& tile : matter.source.history.tiles()) {
    tiles.emplace_back(QRect(tile.column, tile.row, 1, 1), state_of(matter.source, tile, matter.span));
    grid = grid.expandedTo(QSize(tile.column + 1, tile.row + 1));
  }
  ReportBlock block{Kind::drawing, report_words(QT_TRANSLATE_NOOP("Report", "The wall: state of each tile"))};
  block.drawing = {
      QSize(drawing_width, wall_height), [tiles, grid](QPainter& painter) { draw_wall(painter, tiles, grid); }, {}, {}};
  return block;
}

// A chart of a time around an incident, or of all of it. It keeps what it draws.
struct Chart {
  Chart(const Matter& matter, const TimeWindow::Range& range, const std::vector<Lane>& lanes)
      : window(matter.source.history.times()),
        chart({matter.source.history, window, matter.source.focus, &notes}, lanes, {}) {
    notes.set_incidents(matter.incidents);
    if (matter.source.notes != nullptr) {
      std::map<Quantity, double> limits;
      for (const auto& lane : lanes)
        if (const auto limit = matter.source.notes->limit(lane.quantity)) limits[lane.quantity] = *limit;
      notes.set_limits(limits);
    }
    window.show(range);
    chart.resize(drawing_width, chart_height);
    chart.collect();
  }
  PlotNotes notes;
  TimeWindow window;
  LaneChart chart;
};

ReportBlock chart_block(const Matter& matter, const TimeWindow::Range& range, const std::vector<Lane>& lanes,
                        const QString& title) {
  const auto chart = std::make_shared<Chart>(matter, range, lanes);
  ReportBlock block{Kind::drawing, title};
  block.drawing = {chart->chart.size(), [chart](QPainter& painter) { chart->chart.draw(painter); }, title,
                   time_caption({matter.source.history, chart->window, matter.source.focus}, chart->window.shown())};
  return block;
}

const std::vector<Lane>& lanes() {
  static const std::vector<Lane> all{{Quantity::throughput, true}, {Quantity::jitter, false}, {Quantity::loss, false}};
  return all;
}

QString word_of(State state) {
  switch (state) {
    case State::crit:
      return report_words(QT_TRANSLATE_NOOP("Report", "Picture faults"));
    case State::warn:
      return report_words(QT_TRANSLATE_NOOP("Report", "Repaired"));
    case State::ok:
    case State::off:
    case State::note:
      break;
  }
  return report_words(QT_TRANSLATE_NOOP("Report", "Note"));
}

void add_incidents(std::vector<ReportBlock>& blocks, const Matter& matter) {
  blocks.push_back(section(report_words(QT_TRANSLATE_NOOP("Report", "Incidents"))));
  if (matter.incidents.empty())
    blocks.push_back(paragraph(report_words(QT_TRANSLATE_NOOP("Report", "No incident in this time."))));
  const auto& times = matter.source.history.times();
  for (std::size_t i = 0; i < std::min(matter.incidents.size(), charts_max); ++i) {
    const auto& incident = matter.incidents[i];
    const qint64 end_ms = incident.end_ms.value_or(times.time_of(matter.range.last).value_or(incident.begin_ms));
    const auto title =
        QString("%1, %2, %3: %4")
            .arg(clock_words(incident.begin_ms),
                 span_words(static_cast<double>(std::max<qint64>(1000, end_ms - incident.begin_ms)) / 1000),
                 word_of(incident.state), incident.text);
    const TimeWindow::Range around{std::max(matter.range.first, times.sample_at(incident.begin_ms - around_ms)),
                                   std::min(matter.range.last, times.sample_at(end_ms + around_ms))};
    blocks.push_back(chart_block(matter, around, lanes(), title));
  }
  if (matter.incidents.size() <= charts_max) return;
  ReportBlock table{Kind::table, {}, {{report_words(QT_TRANSLATE_NOOP("Report", "Further incidents")), {}}}, 2};
  for (std::size_t i = charts_max; i < matter.incidents.size() && table.rows.size() < rows_max; ++i)
    table.rows.push_back({clock_words(matter.incidents[i].begin_ms), matter.incidents[i].text});
  blocks.push_back(std::move(table));
}

// Rows in tables of a size that fits a page, each with the headings.
void add_table(std::vector<ReportBlock>& blocks, const QStringList& headings, const std::vector<QStringList>& rows,
               int text_columns) {
  for (std::size_t i = 0; i < rows.size(); i += rows_max) {
    ReportBlock table{Kind::table, {}, {headings}, text_columns};
    for (std::size_t at = i; at < std::min(rows.size(), i + rows_max); ++at) table.rows.push_back(rows[at]);
    blocks.push_back(std::move(table));
  }
}

// The worst line of each quantity; what was zero throughout is named in a sentence.
void add_figures(std::vector<ReportBlock>& blocks, const Matter& matter) {
  blocks.push_back(section(report_words(QT_TRANSLATE_NOOP("Report", "Figures of the worst flow or tile"))));
  std::vector<QStringList> rows;
  QStringList zeros;
  for (const auto& quantity : quantities()) {
    const auto worst = worst_of(matter, quantity.quantity);
    if (!worst) continue;
    if (worst->greatest == 0 && worst->least == 0) {
      zeros << name_of(quantity);
      continue;
    }
    const auto unit = axis_unit(quantity, worst->greatest);
    const auto number = [&](double value) { return short_number(value / unit.size); };
    rows.push_back({name_of(quantity), unit.name, worst->line.name, number(worst->least), number(worst->median),
                    number(worst->p99), number(worst->greatest)});
  }
  add_table(blocks,
            {report_words(QT_TRANSLATE_NOOP("Report", "Quantity")), report_words(QT_TRANSLATE_NOOP("Report", "Unit")),
             report_words(QT_TRANSLATE_NOOP("Report", "Worst")), report_words(QT_TRANSLATE_NOOP("Report", "Least")),
             report_words(QT_TRANSLATE_NOOP("Report", "Median")), report_words(QT_TRANSLATE_NOOP("Report", "p99")),
             report_words(QT_TRANSLATE_NOOP("Report", "Greatest"))},
            rows, 3);
  if (!zeros.isEmpty())
    blocks.push_back(
        paragraph(report_words(QT_TRANSLATE_NOOP("Report", "Zero throughout: %1.")).arg(zeros.join(", "))));
}

void add_events(std::vector<ReportBlock>& blocks, const Matter& matter, const EventModel& events) {
  blocks.push_back(section(report_words(QT_TRANSLATE_NOOP("Report", "Events"))));
  const auto& times = matter.source.history.times();
  const qint64 first = times.time_of(matter.range.first).value_or(0),
               last = times.time_of(matter.range.last).value_or(0);
  std::vector<QStringList> rows;
  for (const auto& event : events.events())
    if (event.time_ms >= first - SampleTimes::sample_ms && event.time_ms <= last + SampleTimes::sample_ms)
      rows.push_back({clock_words(event.time_ms), lw::word_of(event.severity), place_of(event), event.text});
  if (rows.empty()) return blocks.push_back(paragraph(report_words(QT_TRANSLATE_NOOP("Report", "None."))));
  const auto skipped = rows.size() > events_max ? rows.size() - events_max : 0;
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(skipped));
  add_table(blocks,
            {report_words(QT_TRANSLATE_NOOP("Report", "Time")), report_words(QT_TRANSLATE_NOOP("Report", "Severity")),
             report_words(QT_TRANSLATE_NOOP("Report", "Where")), report_words(QT_TRANSLATE_NOOP("Report", "Event"))},
            rows, 4);
  if (skipped > 0)
    blocks.push_back(paragraph(report_words(QT_TRANSLATE_NOOP("Report", "And %1 before these.")).arg(skipped)));
}

void add_hosts(std::vector<ReportBlock>& blocks, const Matter& matter) {
  blocks.push_back(section(report_words(QT_TRANSLATE_NOOP("Report", "Hosts"))));
  const auto& wall = matter.info.wall;
  const auto of_grid = report_words(
      QT_TRANSLATE_NOOP("Report", "Server %1, %2 %3. Wall of %4 \u00d7 %5 tiles of %6 \u00d7 %7 pixels, %8 flows."));
  const auto of_any_shape =
      report_words(QT_TRANSLATE_NOOP("Report", "Server %1, %2 %3. Wall of %4 tiles of different sizes, %5 flows."));
  const auto text = (wall.tiles.empty() ? of_grid : of_any_shape)
                        .arg(text_of(matter.info.host), text_of(matter.info.program), text_of(matter.info.version))
                        .arg(wall.columns);
  blocks.push_back(
      paragraph((wall.tiles.empty() ? text.arg(wall.rows).arg(wall.tile_width).arg(wall.tile_height) : text)
                    .arg(wall.flows.size())));
  std::vector<QStringList> rows;
  for (const auto& node : wall.nodes) {
    const Part part{{}, {}, {}, text_of(node.name)};
    const auto worst = [&](Quantity quantity) {
      const auto all = summaries(matter.source.history, quantity, part, matter.span);
      return all.empty() || all[0].samples == 0 ? not_measured() : with_unit(info(quantity), all[0].p99);
    };
    const QString least = TimeSeries::kept_whole(matter.span) ? QString() : QString::fromUtf8("\u2265 ");
    double lost = 0;
    std::size_t flows = 0;
    for (const auto& flow : matter.source.history.flows())
      if (flow.node == part.node) {
        ++flows;
        lost += loss_of(flow, matter.span).lost;
      }
    rows.push_back({text_of(node.name), text_of(node.address), QString::number(node.tiles.size()),
                    QString::number(flows),
                    lost > 0 ? least + short_number(std::round(lost)) : QString::fromUtf8("\u2013"),
                    worst(Quantity::jitter), worst(Quantity::lateness)});
  }
  add_table(blocks,
            {report_words(QT_TRANSLATE_NOOP("Report", "Node")), report_words(QT_TRANSLATE_NOOP("Report", "Address")),
             report_words(QT_TRANSLATE_NOOP("Report", "Tiles")), report_words(QT_TRANSLATE_NOOP("Report", "Flows")),
             report_words(QT_TRANSLATE_NOOP("Report", "Packets lost")),
             report_words(QT_TRANSLATE_NOOP("Report", "Jitter, p99")),
             report_words(QT_TRANSLATE_NOOP("Report", "Lateness, p99"))},
            rows, 2);
}

void add_method(std::vector<ReportBlock>& blocks, const Matter& matter) {
  blocks.push_back(section(report_words(QT_TRANSLATE_NOOP("Report", "Method"))));
  blocks.push_back(
      paragraph(TimeSeries::kept_whole(matter.span)
                    ? report_words(QT_TRANSLATE_NOOP(
                          "Report", "Server and nodes report ten times a second; all samples of this time are used."))
                    : report_words(QT_TRANSLATE_NOOP("Report",
                                                     "Server and nodes report ten times a second; of this time, the "
                                                     "least and the greatest sample of each second are used."))));
  blocks.push_back(paragraph(report_words(QT_TRANSLATE_NOOP(
      "Report",
      "A figure that was not measured is absent, not zero. Times without measurements are gaps in the charts."))));
  for (const auto quantity :
       {Quantity::throughput, Quantity::jitter, Quantity::loss, Quantity::skew, Quantity::lateness})
    blocks.push_back(paragraph(QString("%1: %2").arg(name_of(info(quantity)), definition_of(info(quantity)))));
}

QString html_table(const ReportBlock& block) {
  QString html = "<table>\n";
  for (std::size_t row = 0; row < block.rows.size(); ++row) {
    html += "<tr>";
    for (qsizetype column = 0; column < block.rows[row].size(); ++column)
      html += QString("<%1%2>%3</%1>")
                  .arg(row == 0 ? "th" : "td", column < block.text_columns ? " class=\"text\"" : "",
                       block.rows[row][column].toHtmlEscaped());
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

QString html_drawing(const ReportBlock& block) {
  constexpr int scale = 2;
  QImage image(block.drawing.size * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(colors::panel);
  QPainter painter(&image);
  block.drawing.draw(painter);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  const auto caption = QStringList{block.text, block.drawing.caption}.join(block.drawing.caption.isEmpty() ? "" : dot);
  return QString(
             "<figure><figcaption>%1</figcaption><img alt=\"%1\" width=\"%2\" "
             "src=\"data:image/png;base64,%3\"></figure>\n")
      .arg(caption.toHtmlEscaped())
      .arg(block.drawing.size.width())
      .arg(QString::fromLatin1(bytes.toBase64()));
}

}  // namespace

Report make_report(const PlotSource& source, const EventModel& events, const InfoReply& info) {
  const auto range = source.window.chosen();
  const Matter matter{source, info, range, source.window.span_of(range), incidents_of(source)};
  const auto figures = five_figures(matter);
  const auto verdict = verdict_of(matter, figures);
  Report report{report_words(QT_TRANSLATE_NOOP("Report", "Wall %1")).arg(text_of(info.wall.name)), {}};
  auto& blocks = report.blocks;
  blocks.push_back({Kind::title, report.title});
  blocks.push_back(paragraph(QStringList{time_caption(source, range), name_of(source.focus.part())}.join(dot)));
  ReportBlock answer{Kind::drawing, {}};
  answer.drawing = {
      QSize(drawing_width, 56), [verdict](QPainter& painter) { draw_verdict(painter, verdict); }, verdict.words, {}};
  blocks.push_back(std::move(answer));
  blocks.push_back(wall_block(matter));
  ReportBlock five{Kind::drawing, {}};
  five.drawing = {
      QSize(drawing_width, figures_height), [figures](QPainter& painter) { draw_figures(painter, figures); }, {}, {}};
  blocks.push_back(std::move(five));
  blocks.push_back(chart_block(matter, range, lanes(), report_words(QT_TRANSLATE_NOOP("Report", "The whole time"))));
  add_incidents(blocks, matter);
  add_figures(blocks, matter);
  add_events(blocks, matter, events);
  add_hosts(blocks, matter);
  add_method(blocks, matter);
  return report;
}

QString report_of(const PlotSource& source, const EventModel& events, const InfoReply& info) {
  const LightTheme light;
  const auto report = make_report(source, events, info);
  QString html =
      QString("<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>%1</title><style>%2</style></head><body>\n")
          .arg(report.title.toHtmlEscaped(), style);
  for (const auto& block : report.blocks) switch (block.kind) {
      case Kind::title:
        html += QString("<h1>%1</h1>\n").arg(block.text.toHtmlEscaped());
        break;
      case Kind::section:
        html += QString("<h2>%1</h2>\n").arg(block.text.toHtmlEscaped());
        break;
      case Kind::text:
        html += QString("<p>%1</p>\n").arg(block.text.toHtmlEscaped());
        break;
      case Kind::table:
        html += html_table(block);
        break;
      case Kind::drawing:
        html += html_drawing(block);
        break;
    }
  return html + "</body></html>\n";
}

QString save_report(const QString& path, const PlotSource& source, const EventModel& events, const InfoReply& info) {
  if (!path.endsWith(".pdf", Qt::CaseInsensitive)) return save_file(path, report_of(source, events, info).toUtf8());
  const LightTheme light;
  return save_file(path, report_as_pdf(make_report(source, events, info)));
}

}  // namespace lw
