#include "wall-control/plots/strip_chart.h"

#include "wall-control/app/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lw {
StripChart::StripChart(const FlowHistory& history, Quantity quantity, QWidget* parent)
    : QWidget(parent),
      history_(history),
      choice_(new QuantityChoice(this, {Scope::flow, Scope::tile, Scope::wall}, quantity)) {
  connect(choice_, &QComboBox::currentIndexChanged, this, &StripChart::show_choice);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  show_choice();
}

void StripChart::show_choice() {
  const auto& chosen = choice_->chosen();
  setToolTip(definition_of(chosen));
  choice_->setToolTip(definition_of(chosen));
  setAccessibleName(title_of(chosen));
  setAccessibleDescription(tr("%1 The flow table has figures as text.").arg(definition_of(chosen)));
  update();
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

// The legend hides flows; of other quantities all lines are shown.
std::vector<SeriesLine> StripChart::shown_lines() const {
  auto lines = history_.lines(quantity());
  if (choice_->chosen().scope == Scope::flow)
    std::erase_if(lines,
                  [&](const SeriesLine& line) { return std::ranges::find(hidden_, line.index) != hidden_.end(); });
  return lines;
}

void StripChart::draw_series(QPainter& painter, const QRectF& area, const std::vector<Column>& columns, double top,
                             const QPen& pen) const {
  const auto y = [&](double value) { return area.bottom() - std::clamp(value / top, 0.0, 1.05) * area.height(); };
  // With few samples most columns are empty: a gap is only what is wider than a few samples.
  const int samples = samples_of(seconds_);
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
  const QRectF area = QRectF(rect()).adjusted(58, choice_->height() + 10, -10, -8);
  if (area.width() < 20 || area.height() < 20) return;

  const auto lines = shown_lines();
  std::vector<std::vector<Column>> all;
  double greatest = 0;
  for (const auto& line : lines) {
    all.push_back(columns_of(*line.series, seconds_, static_cast<int>(area.width())));
    greatest = std::max(greatest, greatest_of(all.back()));
  }
  const double top = nice_above(greatest);
  const auto unit = axis_unit(choice_->chosen(), top);

  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i <= 2; ++i) {
    const double y = area.bottom() - area.height() * i / 2;
    painter.setPen(QPen(colors::line, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(colors::faint);
    painter.drawText(QRectF(0, y - metrics.height() / 2.0, area.left() - 8, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, short_number(top * i / 2 / unit.size));
  }
  painter.setPen(colors::faint);
  painter.drawText(QRectF(10, 2, width() - 20, choice_->height()), Qt::AlignRight | Qt::AlignVCenter, unit.name);

  if (lines.size() > lines_max) {
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
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), lines_max); ++i)
    draw_series(painter, area, all[i], top, colors::series_pen(lines[i].index));
  if (greatest == 0 &&
      std::ranges::none_of(all, [](const auto& columns) { return std::ranges::any_of(columns, &Column::any); })) {
    painter.setPen(colors::faint);
    painter.drawText(area, Qt::AlignCenter, tr("nothing measured yet"));
  }
}

}  // namespace lw
