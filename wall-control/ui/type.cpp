#include "wall-control/ui/type.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw::type {
namespace {

double digit_width(const QFontMetricsF& metrics) {
  double width = 0;
  for (char digit = '0'; digit <= '9'; ++digit) width = std::max(width, metrics.horizontalAdvance(QLatin1Char(digit)));
  return width;
}

template <class Each>
double walk(const QFontMetricsF& metrics, const QString& text, const Each& each) {
  const double cell = digit_width(metrics);
  double x = 0;
  for (int i = 0; i < text.size();) {
    if (text[i].isDigit()) {
      each(x + (cell - metrics.horizontalAdvance(text[i])) / 2, text.mid(i, 1));
      x += cell;
      ++i;
      continue;
    }
    const int from = i;
    while (i < text.size() && !text[i].isDigit()) ++i;
    const auto part = text.mid(from, i - from);
    each(x, part);
    x += metrics.horizontalAdvance(part);
  }
  return x;
}

}  // namespace

QFont sized(double px, bool strong) {
  QFont font = QApplication::font();
  font.setPointSizeF(font.pointSizeF() * px / body_px);
  if (strong) font.setWeight(QFont::DemiBold);
  return font;
}

int scaled(double px) {
  const double height = QFontMetricsF(QApplication::font()).height();
  constexpr double usual_height = 16;  // of a body text of 13 px
  return static_cast<int>(std::lround(px * std::max(1.0, height / usual_height)));
}

double figure_width(const QFont& font, const QString& text) {
  return walk(QFontMetricsF(font), text, [](double, const QString&) {});
}

double paint_figure(QPainter& painter, const QRectF& place, int alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const double width = figure_width(painter.font(), text);
  double left = place.left();
  if ((alignment & Qt::AlignRight) != 0) left = place.right() - width;
  if ((alignment & Qt::AlignHCenter) != 0) left = place.center().x() - width / 2;
  double baseline = place.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  if ((alignment & Qt::AlignTop) != 0) baseline = place.top() + metrics.ascent();
  if ((alignment & Qt::AlignBottom) != 0) baseline = place.bottom() - metrics.descent();
  walk(metrics, text, [&](double x, const QString& part) { painter.drawText(QPointF(left + x, baseline), part); });
  return width;
}

QString fitting(const QFont& font, const QStringList& texts, int width) {
  const QFontMetrics metrics(font);
  for (const auto& text : texts)
    if (metrics.horizontalAdvance(text) <= width) return text;
  return texts.isEmpty() ? QString() : metrics.elidedText(texts.back(), Qt::ElideRight, width);
}

}  // namespace lw::type
