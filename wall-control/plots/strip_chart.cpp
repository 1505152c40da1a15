#include "wall-control/plots/strip_chart.h"

#include "wall-control/ui/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lw {

StripChart::StripChart(const PlotSource& source, Quantity quantity, QWidget* parent)
    : TimePlot(source, {Scope::flow, Scope::tile, Scope::wall}, quantity, parent) {
  StripChart::show_choice();
}

void StripChart::show_choice() {
  setToolTip(definition_of(chosen()));
  choice().setToolTip(definition_of(chosen()));
  setAccessibleName(title_of(chosen()));
  setAccessibleDescription(tr("%1 The flow table has figures as text.").arg(definition_of(chosen())));
  refresh();
}

void StripChart::set_hidden(int flow, bool hidden) {
  std::erase(hidden_, flow);
  if (hidden) hidden_.push_back(flow);
  refresh();
}

QRectF StripChart::area() const { return QRectF(rect()).adjusted(58, head(), -10, -8); }

void StripChart::collect() {
  const auto span = shown_span();
  const int width = std::max(1, static_cast<int>(area().width()));
  samples_ = samples_of(span);
  lines_.clear();
  double greatest = 0;
  for (auto& line : source_.history.lines(quantity(), source_.focus.part())) {
    // The legend hides flows. For other quantities all lines are shown.
    if (chosen().scope == Scope::flow && std::ranges::find(hidden_, line.index) != hidden_.end()) continue;
    auto columns = columns_of(*line.series, span, width);
    greatest = std::max(greatest, greatest_of(columns));
    const auto worst = worst_of(marked_of(columns), chosen().low_is_bad);
    lines_.push_back({std::move(line), std::move(columns), worst});
  }
  top_ = nice_above(greatest);
  if (lines_.size() > lines_max) sort_worst_first();
  make_envelope();
}

void StripChart::sort_worst_first() {
  const bool low = chosen().low_is_bad;
  std::ranges::stable_sort(lines_, [low](const Line& a, const Line& b) {
    if (!a.worst || !b.worst) return a.worst.has_value() && !b.worst;
    return low ? *a.worst < *b.worst : *a.worst > *b.worst;
  });
}

void StripChart::make_envelope() {
  envelope_.clear();
  for (std::size_t i = lines_drawn(); i < lines_.size(); ++i) {
    const auto& columns = lines_[i].columns;
    envelope_.resize(columns.size());
    for (std::size_t x = 0; x < columns.size(); ++x) {
      if (!columns[x].any) continue;
      auto& all = envelope_[x];
      all = all.any ? Column{std::min(all.min, columns[x].min), std::max(all.max, columns[x].max), true} : columns[x];
    }
  }
}

double StripChart::y_of(double value) const {
  return area().bottom() - std::clamp(value / top_, 0.0, 1.05) * area().height();
}

void StripChart::draw_line(QPainter& painter, const Line& line) const {
  // With few samples most columns are empty: only an interval of several samples counts as a gap.
  const int width = static_cast<int>(line.columns.size());
  const int gap = std::max(2, width * 4 / samples_ + 1);
  QPainterPath path;
  int last = -1000;
  for (int i = 0; i < width; ++i) {
    const auto& column = line.columns[static_cast<std::size_t>(i)];
    if (!column.any) continue;
    const double x = area().left() + i;
    if (i - last > gap)
      path.moveTo(x, y_of(column.min));
    else
      path.lineTo(x, y_of(column.min));
    if (column.max > column.min) path.lineTo(x, y_of(column.max));
    last = i;
  }
  // A hairline, which Qt draws fast. For a wider line of hundreds of columns, the joints would take most of the
  // GUI thread's time.
  auto pen = colors::series_pen(line.line.index);
  pen.setWidthF(1);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void StripChart::draw_axis(QPainter& painter) const {
  const auto place = area();
  const QFontMetrics metrics(font());
  const auto unit = axis_unit(chosen(), top_);
  for (int i = 0; i <= 2; ++i) {
    const double y = place.bottom() - place.height() * i / 2;
    painter.setPen(QPen(colors::line, 1));
    painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
    painter.setPen(colors::text3);
    painter.drawText(QRectF(0, y - metrics.height() / 2.0, place.left() - 8, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, short_number(top_ * i / 2 / unit.size));
  }
  painter.setPen(colors::text3);
  painter.drawText(QRectF(10, 2, width() - 20, choice().height()), Qt::AlignRight | Qt::AlignVCenter, unit.name);
}

void StripChart::draw_envelope(QPainter& painter) const {
  painter.setPen(QPen(colors::line.lighter(140), 1));
  painter.setRenderHint(QPainter::Antialiasing, false);  // the lines are vertical
  for (std::size_t i = 0; i < envelope_.size(); ++i) {
    if (!envelope_[i].any) continue;
    const double x = area().left() + static_cast<double>(i);
    painter.drawLine(QPointF(x, y_of(envelope_[i].min)), QPointF(x, y_of(envelope_[i].max)));
  }
  painter.setRenderHint(QPainter::Antialiasing);
}

void StripChart::draw(QPainter& painter, bool titled) const {
  painter.fillRect(rect(), colors::panel);
  painter.setFont(font());
  if (titled) draw_title(painter);
  if (area().width() < 20 || area().height() < 20) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_axis(painter);
  draw_envelope(painter);
  for (std::size_t i = 0; i < lines_drawn(); ++i) draw_line(painter, lines_[i]);
  if (std::ranges::none_of(lines_, [](const Line& line) { return std::ranges::any_of(line.columns, &Column::any); })) {
    painter.setPen(colors::text3);
    painter.drawText(area(), Qt::AlignCenter, tr("nothing measured"));
  }
  draw_marks(painter);
}

QString StripChart::text_at(QPointF place) const {
  if (!area().contains(place)) return {};
  const auto unit = axis_unit(chosen(), top_);
  const auto number = [&](double value) { return short_number(value / unit.size); };
  QStringList words{time_at(place.x())};
  // The nearest column that has a sample: with few samples most have none.
  const int reach = std::max(1, static_cast<int>(area().width()) / (2 * samples_) + 1);
  const int at = static_cast<int>(place.x() - area().left());
  for (std::size_t i = 0; i < lines_drawn(); ++i) {
    const auto& columns = lines_[i].columns;
    const Column* nearest = nullptr;
    for (int off = 0; off <= reach && nearest == nullptr; ++off)
      for (const int x : {at - off, at + off})
        if (x >= 0 && x < static_cast<int>(columns.size()) && columns[static_cast<std::size_t>(x)].any)
          nearest = &columns[static_cast<std::size_t>(x)];
    const auto& name = lines_[i].line.name;
    if (nearest == nullptr)
      words << tr("%1: nothing measured").arg(name);
    else if (nearest->min == nearest->max)
      words << tr("%1: %2 %3").arg(name, number(nearest->max), unit.name);
    else
      words << tr("%1: %2 to %3 %4").arg(name, number(nearest->min), number(nearest->max), unit.name);
  }
  if (lines_.size() > lines_max) words << tr("and %1 more, less bad").arg(lines_.size() - lines_max);
  return words.join('\n');
}

}  // namespace lw
