#include "wall-control/plots/strip_chart.h"

#include "wall-control/app/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

// 1, 2 or 5 times a power of ten, at or above the value.
double nice_above(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (value <= step * power * 1.0001) return step * power;
  return 10 * power;
}

QString number(double value) { return QString::number(value, 'g', 3); }

}  // namespace

StripChart::StripChart(const FlowHistory& history, Quantity quantity, const QString& title, const QString& unit,
                       const QString& definition, QWidget* parent)
    : QWidget(parent), history_(history), quantity_(quantity), title_(title), unit_(unit) {
  setToolTip(definition);
  setAccessibleName(title);
  setAccessibleDescription(tr("%1 The flow table has the same figures as text.").arg(definition));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StripChart::set_seconds(int seconds) {
  seconds_ = seconds;
  update();
}

void StripChart::set_hidden(int flow, bool hidden) {
  std::erase(hidden_, flow);
  if (hidden) hidden_.push_back(flow);
  update();
}

std::vector<const FlowRow*> StripChart::shown_flows() const {
  std::vector<const FlowRow*> flows;
  for (const auto& flow : history_.flows())
    if (std::ranges::find(hidden_, flow.flow) == hidden_.end()) flows.push_back(&flow);
  return flows;
}

std::vector<StripChart::Column> StripChart::columns_of(const TimeSeries& series, int width) const {
  std::vector<Column> columns(static_cast<std::size_t>(std::max(1, width)));
  const int samples = static_cast<int>(seconds_ / FlowHistory::interval_s);
  for (int age = 0; age < std::min(samples, series.size()); ++age) {
    const auto value = series.back(age);
    if (!value) continue;
    const auto at = static_cast<std::size_t>((samples - 1 - age) * width / samples);
    auto& column = columns[std::min(at, columns.size() - 1)];
    column.min = column.any ? std::min(column.min, *value) : *value;
    column.max = column.any ? std::max(column.max, *value) : *value;
    column.any = true;
  }
  return columns;
}

void StripChart::draw_series(QPainter& painter, const QRectF& area, const std::vector<Column>& columns, double top,
                             const QPen& pen) const {
  const auto y = [&](double value) { return area.bottom() - std::clamp(value / top, 0.0, 1.05) * area.height(); };
  // With few samples most columns are empty: a gap is only what is wider than a few samples.
  const int samples = static_cast<int>(seconds_ / FlowHistory::interval_s);
  const int gap = std::max(2, static_cast<int>(columns.size()) * 4 / samples + 1);
  QPainterPath path;
  int last = -1000;
  for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
    const auto& column = columns[static_cast<std::size_t>(i)];
    if (!column.any) continue;
    const double x = area.left() + i;
    if (i - last > gap)
      path.moveTo(x, y(column.min));
    else
      path.lineTo(x, y(column.min));
    if (column.max > column.min) path.lineTo(x, y(column.max));
    last = i;
  }
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void StripChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::panel);
  const QFontMetrics metrics(font());
  const QRectF area = QRectF(rect()).adjusted(58, metrics.height() + 10, -10, -8);
  painter.setPen(colors::text);
  painter.drawText(QRectF(10, 4, width() - 20, metrics.height()), Qt::AlignLeft, title_);
  if (area.width() < 20 || area.height() < 20) return;

  auto flows = shown_flows();
  std::vector<std::vector<Column>> all;
  double greatest = 0;
  for (const auto* flow : flows) {
    all.push_back(columns_of(flow->series(quantity_), static_cast<int>(area.width())));
    for (const auto& column : all.back()) greatest = std::max(greatest, column.any ? column.max : 0);
  }
  const double top = nice_above(greatest);

  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i <= 2; ++i) {
    const double y = area.bottom() - area.height() * i / 2;
    painter.setPen(QPen(colors::line, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(colors::faint);
    painter.drawText(QRectF(0, y - metrics.height() / 2.0, area.left() - 8, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, number(top * i / 2));
  }
  painter.setPen(colors::faint);
  painter.drawText(QRectF(10, 4, width() - 20, metrics.height()), Qt::AlignRight,
                   tr("%1, last %2 s").arg(unit_).arg(seconds_));

  if (flows.size() > lines_max) {
    // The envelope of all, then the worst as lines.
    std::vector<Column> envelope(all.front().size());
    for (const auto& columns : all)
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i].any) continue;
        envelope[i].min = envelope[i].any ? std::min(envelope[i].min, columns[i].min) : columns[i].min;
        envelope[i].max = envelope[i].any ? std::max(envelope[i].max, columns[i].max) : columns[i].max;
        envelope[i].any = true;
      }
    painter.setPen(QPen(colors::line.lighter(140), 1));
    for (std::size_t i = 0; i < envelope.size(); ++i)
      if (envelope[i].any)
        painter.drawLine(
            QPointF(area.left() + static_cast<double>(i), area.bottom() - envelope[i].min / top * area.height()),
            QPointF(area.left() + static_cast<double>(i), area.bottom() - envelope[i].max / top * area.height()));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(flows.size(), lines_max); ++i)
    draw_series(painter, area, all[i], top, colors::series_pen(flows[i]->flow));
  if (greatest == 0 &&
      std::ranges::none_of(all, [](const auto& columns) { return std::ranges::any_of(columns, &Column::any); })) {
    painter.setPen(colors::faint);
    painter.drawText(area, Qt::AlignCenter, tr("nothing measured yet"));
  }
}

}  // namespace lw
