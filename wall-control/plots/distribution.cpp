#include "wall-control/plots/distribution.h"

#include "wall-control/plots/columns.h"
#include "wall-control/ui/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lw {

Distribution::Distribution(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Distribution"));
}

void Distribution::set(Quantity quantity, const std::vector<LineSummary>& rows, const SampleSpan& span, bool together) {
  quantity_ = quantity;
  lines_.clear();
  if (together) lines_.push_back({0, tr("all together"), {}});
  for (const auto& row : rows) {
    if (row.samples == 0 || (!together && lines_.size() == lines_max)) continue;
    auto samples = sorted_samples(*row.line.series, span);
    if (together)
      lines_[0].samples.insert(lines_[0].samples.end(), samples.begin(), samples.end());
    else
      lines_.push_back({row.line.index, row.line.name, std::move(samples)});
  }
  if (together) std::ranges::sort(lines_[0].samples);
  std::erase_if(lines_, [](const Line& line) { return line.samples.empty(); });
  fit_axis();
  setAccessibleDescription(tr("%1 The table below has the figures.").arg(definition_of(info(quantity_))));
  update();
}

// From zero, unless all samples lie close together and far from it.
void Distribution::fit_axis() {
  low_ = 0;
  top_ = 1;
  if (lines_.empty()) return;
  double least = lines_[0].samples.front(), greatest = lines_[0].samples.back();
  for (const auto& line : lines_) {
    least = std::min<double>(least, line.samples.front());
    greatest = std::max<double>(greatest, line.samples.back());
  }
  top_ = nice_above(greatest);
  const double margin = std::max((greatest - least) * 0.1, std::abs(greatest) * 0.01);
  if (least >= 0 && (least < greatest / 2 || greatest == 0)) return;
  low_ = least - margin;
  top_ = std::max(greatest + margin, low_ + 1e-9);
}

QRectF Distribution::area() const { return QRectF(rect()).adjusted(58, fontMetrics().height() + 8, -16, -30); }

double Distribution::x_of(double value) const {
  return area().left() + std::clamp((value - low_) / (top_ - low_), 0.0, 1.0) * area().width();
}

double Distribution::share_at(std::size_t line, double value) const {
  const auto& samples = lines_[line].samples;
  const auto above = std::ranges::upper_bound(samples, static_cast<float>(value));
  return static_cast<double>(above - samples.begin()) / static_cast<double>(samples.size());
}

void Distribution::draw_axes(QPainter& painter) const {
  const auto place = area();
  const QFontMetrics metrics(font());
  const auto unit = axis_unit(info(quantity_), top_);
  for (const double share : {0.0, 0.5, 0.9, 1.0}) {
    const double y = place.bottom() - share * place.height();
    painter.setPen(QPen(colors::line, 1));
    painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y));
    painter.setPen(colors::text3);
    painter.drawText(QRectF(0, y - metrics.height() / 2.0, place.left() - 8, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("%1 %").arg(share * 100));
  }
  for (int i = 0; i <= 2; ++i) {
    const double x = place.left() + place.width() * i / 2;
    const double value = (low_ + (top_ - low_) * i / 2) / unit.size;
    const auto text = QString::number(value, 'g', 4) + (i == 2 ? ' ' + unit.name : QString());
    const double width = metrics.horizontalAdvance(text);
    painter.drawText(QPointF(std::min(x - width / 2, place.right() + 12 - width), height() - 10), text);
  }
  painter.drawText(QRectF(10, 2, width() - 20, metrics.height() + 2), Qt::AlignRight,
                   tr("share of the samples that were no greater"));
}

void Distribution::draw_line(QPainter& painter, const Line& line) const {
  const auto place = area();
  const auto steps = std::min<std::size_t>(line.samples.size(), static_cast<std::size_t>(2 * place.height()));
  QPainterPath path(QPointF(x_of(line.samples.front()), place.bottom()));
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(steps);
    const double x = x_of(quantile(line.samples, share));
    path.lineTo(x, path.currentPosition().y());
    path.lineTo(x, place.bottom() - share * place.height());
  }
  path.lineTo(place.right(), place.top());
  painter.setPen(colors::series_pen(line.index));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void Distribution::draw(QPainter& painter, bool titled) const {
  painter.fillRect(rect(), colors::panel);
  painter.setFont(font());
  painter.setRenderHint(QPainter::Antialiasing);
  if (titled) {
    painter.setPen(colors::text);
    painter.drawText(QRectF(10, 2, width() - 20, 20), Qt::AlignLeft, title_of(info(quantity_)));
  }
  if (area().width() < 20 || area().height() < 20) return;
  draw_axes(painter);
  for (const auto& line : lines_) draw_line(painter, line);
  if (!lines_.empty()) return;
  painter.setPen(colors::text3);
  painter.drawText(area(), Qt::AlignCenter, tr("nothing measured"));
}

QString Distribution::text_at(QPointF place) const {
  if (!area().contains(place)) return {};
  const double value = (place.x() - area().left()) / area().width() * (top_ - low_) + low_;
  const auto unit = axis_unit(info(quantity_), top_);
  QStringList words{tr("no greater than %1 %2:").arg(QString::number(value / unit.size, 'g', 4), unit.name)};
  for (std::size_t i = 0; i < lines_.size(); ++i)
    words << tr("%1: %2 % of %3 samples")
                 .arg(lines_[i].name)
                 .arg(100 * share_at(i, value), 0, 'f', 2)
                 .arg(lines_[i].samples.size());
  return words.join('\n');
}

void Distribution::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter, false);
}

bool Distribution::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto text = text_at(help->pos());
  const auto definition = definition_of(info(quantity_));
  QToolTip::showText(help->globalPos(), text.isEmpty() ? definition : text + "\n\n" + definition, this);
  return true;
}

}  // namespace lw
