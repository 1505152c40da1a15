#include "wall-control/plots/histogram.h"

#include "wall-control/plots/columns.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lw {
namespace {

constexpr int counts_margin = 46, end_margin = 20, column_gap = 3;
constexpr int columns_least = 8;  // few classes are not drawn as wide blocks

}  // namespace

Histogram::Histogram(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Distribution of sizes"));
}

int Histogram::class_of(double size) {
  if (!(size > 1)) return 0;
  return std::min(classes_max - 1, static_cast<int>(std::ceil(std::log2(size))));
}

QString Histogram::name_of(int size_class) {
  if (size_class <= 1) return QString::number(size_class + 1);
  const int before = 1 << (size_class - 1);
  if (size_class == classes_max - 1) return QString("> %1").arg(short_number(before));
  return QString::fromUtf8("%1\u2013%2").arg(short_number(before + 1), short_number(2 * before));
}

qint64 Histogram::total() const { return std::accumulate(counts_.begin(), counts_.end(), qint64{0}); }

QString Histogram::words_of(int size_class) const {
  const auto count = counts_[static_cast<std::size_t>(size_class)];
  return tr("%1: %2 of %3")
      .arg(name_of(size_class), short_number(static_cast<double>(count)), short_number(static_cast<double>(total())));
}

void Histogram::set(const Titles& titles, const std::vector<double>& sizes) {
  titles_ = titles;
  counts_.assign(classes_max, 0);
  for (const double size : sizes) ++counts_[static_cast<std::size_t>(class_of(size))];
  while (!counts_.empty() && counts_.back() == 0) counts_.pop_back();
  QStringList words;
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i)
    if (counts_[static_cast<std::size_t>(i)] > 0) words << words_of(i);
  setAccessibleName(titles.sizes);
  setAccessibleDescription(words.isEmpty() ? tr("not measured") : words.join("; "));
  update();
}

QRect Histogram::area() const {
  const int line = QFontMetrics(type::sized(11)).height();
  return QRect(counts_margin, line + 8, std::max(1, width() - counts_margin - end_margin),
               std::max(1, height() - 3 * line - 20));
}

QRect Histogram::column(int size_class) const {
  const auto place = area();
  const int columns = std::max(columns_least, static_cast<int>(counts_.size()));
  const int left = place.left() + place.width() * size_class / columns;
  const int right = place.left() + place.width() * (size_class + 1) / columns;
  return QRect(left + column_gap, place.top(), std::max(1, right - left - 2 * column_gap), place.height());
}

void Histogram::draw_axis(QPainter& painter, double top) const {
  const auto place = area();
  painter.setFont(type::sized(11));
  const QFontMetrics metrics(painter.font());
  for (const double share : {0.0, 0.5, 1.0}) {
    const int y = place.bottom() - static_cast<int>(share * place.height());
    painter.setPen(colors::grid);
    painter.drawLine(place.left(), y, place.right(), y);
    if (top * share != std::floor(top * share)) continue;  // there is no half of a burst
    painter.setPen(colors::axis);
    type::paint_figure(painter, QRectF(0, y - metrics.height() / 2.0, place.left() - 6, metrics.height()),
                       Qt::AlignRight, short_number(top * share));
  }
  painter.setPen(colors::text3);
  painter.drawText(QRect(place.left(), 0, place.width(), metrics.height() + 2), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(titles_.counts, Qt::ElideRight, place.width()));
  painter.drawText(QRect(place.left(), place.bottom() + metrics.height() + 8, place.width(), metrics.height() + 2),
                   Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(titles_.sizes, Qt::ElideRight, place.width()));
}

void Histogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::panel);
  if (counts_.empty()) return;
  const auto greatest = *std::ranges::max_element(counts_);
  const double top = nice_above(static_cast<double>(greatest));
  draw_axis(painter, top);
  const auto place = area();
  const QFontMetrics metrics(painter.font());
  double free = 0;
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i) {
    auto bar = column(i);
    const auto count = counts_[static_cast<std::size_t>(i)];
    const int height = static_cast<int>(std::ceil(static_cast<double>(count) / top * place.height()));
    bar.setTop(place.bottom() - height + 1);
    if (count > 0) painter.fillRect(bar, colors::series[0]);
    const auto label = name_of(i);
    const double wide = type::figure_width(painter.font(), label);
    const double left = bar.center().x() - wide / 2;
    if (left < free) continue;
    painter.setPen(colors::axis);
    type::paint_figure(painter, QRectF(left, place.bottom() + 4, wide, metrics.height()), Qt::AlignLeft, label);
    free = left + wide + 6;
  }
}

QString Histogram::text_at(QPointF place) const {
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i)
    if (column(i).adjusted(-column_gap, 0, column_gap, 0).contains(place.toPoint())) return words_of(i);
  return {};
}

bool Histogram::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) update();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto text = text_at(help->pos());
  QToolTip::showText(help->globalPos(), text.isEmpty() ? titles_.sizes : text, this);
  return true;
}

}  // namespace lw
