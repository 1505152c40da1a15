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
constexpr int sample_px = 8;      // of a colour in the legend

std::vector<qint64> counts_of(const std::vector<double>& sizes) {
  std::vector<qint64> counts(Histogram::classes_max);
  for (const double size : sizes) ++counts[static_cast<std::size_t>(Histogram::class_of(size))];
  return counts;
}

// The compared one has a frame only, which also tells it apart without its colour.
void draw_bar(QPainter& painter, const QRect& bar, bool own) {
  if (own) return painter.fillRect(bar, colors::series[0]);
  painter.setPen(colors::series[1]);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

QString share_words(const std::vector<qint64>& counts, int size_class) {
  const auto total = std::accumulate(counts.begin(), counts.end(), qint64{0});
  return Histogram::tr("%1 of %2")
      .arg(short_number(static_cast<double>(counts[static_cast<std::size_t>(size_class)])),
           short_number(static_cast<double>(total)));
}

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

QString Histogram::words_of(int size_class) const {
  const auto own = share_words(counts_, size_class);
  if (compared_.empty()) return tr("%1: %2").arg(name_of(size_class), own);
  return tr("%1: %2; %3: %4").arg(name_of(size_class), own, compared_name_, share_words(compared_, size_class));
}

void Histogram::set(const Titles& titles, const std::vector<double>& sizes, const std::optional<Compared>& compared) {
  titles_ = titles;
  own_name_ = compared ? compared->own_name : QString();
  compared_name_ = compared ? compared->name : QString();
  counts_ = counts_of(sizes);
  compared_ = compared ? counts_of(compared->sizes) : std::vector<qint64>();
  while (!counts_.empty() && counts_.back() == 0 && (compared_.empty() || compared_.back() == 0)) {
    counts_.pop_back();
    if (!compared_.empty()) compared_.pop_back();
  }
  QStringList words;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0 || (!compared_.empty() && compared_[i] > 0)) words << words_of(static_cast<int>(i));
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

// At the upper right, as far as there is room beside the title.
void Histogram::draw_legend(QPainter& painter) const {
  const auto place = area();
  const QFontMetrics metrics(painter.font());
  int right = place.right();
  for (const bool own : {false, true}) {
    const auto& name = own ? own_name_ : compared_name_;
    right -= metrics.horizontalAdvance(name);
    if (right - 2 * sample_px < place.left() + metrics.horizontalAdvance(titles_.counts)) return;
    painter.setPen(colors::text3);
    painter.drawText(QRect(right, 0, metrics.horizontalAdvance(name), metrics.height() + 2), Qt::AlignVCenter, name);
    right -= sample_px + 4;
    draw_bar(painter, QRect(right, (metrics.height() + 2 - sample_px) / 2, sample_px, sample_px), own);
    right -= 2 * sample_px;
  }
}

void Histogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::panel);
  if (counts_.empty()) return;
  auto greatest = *std::ranges::max_element(counts_);
  if (!compared_.empty()) greatest = std::max(greatest, *std::ranges::max_element(compared_));
  const double top = nice_above(static_cast<double>(greatest));
  draw_axis(painter, top);
  if (!compared_.empty()) draw_legend(painter);
  const auto place = area();
  const QFontMetrics metrics(painter.font());
  double free = 0;
  for (int i = 0; i < static_cast<int>(counts_.size()); ++i) {
    const auto bar = column(i);
    const auto draw = [&](const std::vector<qint64>& counts, QRect in, bool own) {
      const auto count = counts[static_cast<std::size_t>(i)];
      in.setTop(place.bottom() - static_cast<int>(std::ceil(static_cast<double>(count) / top * place.height())) + 1);
      if (count > 0) draw_bar(painter, in, own);
    };
    const int own_width = compared_.empty() ? bar.width() : bar.width() / 2;
    draw(counts_, QRect(bar.left(), bar.top(), own_width, bar.height()), true);
    if (!compared_.empty()) draw(compared_, bar.adjusted(own_width + 1, 0, 0, 0), false);
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
