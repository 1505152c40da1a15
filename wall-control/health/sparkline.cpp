#include "wall-control/health/sparkline.h"

#include "wall-control/ui/palette.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int ground_alpha = 48;
constexpr double headroom = 1.15;  // above the greatest value

struct Extent {
  float min = 0, max = 0;
  bool any = false;
};

std::vector<Extent> extents_of(const std::vector<float>& values, int width) {
  std::vector<Extent> columns(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    auto& column = columns[i * columns.size() / values.size()];
    column.min = column.any ? std::min(column.min, values[i]) : values[i];
    column.max = column.any ? std::max(column.max, values[i]) : values[i];
    column.any = true;
  }
  return columns;
}

}  // namespace

void paint_sparkline(QPainter& painter, const QRect& place, const std::vector<float>& values, const QColor& color,
                     const std::optional<double>& limit) {
  if (values.empty() || place.width() < 2) return;
  double top = limit.value_or(0);
  for (const auto value : values)
    if (!std::isnan(value)) top = std::max(top, static_cast<double>(value));
  top = top > 0 ? top * headroom : 1;
  const auto y_of = [&](double value) {
    return place.bottom() - static_cast<int>(std::lround(std::max(0.0, value) / top * (place.height() - 1)));
  };
  painter.setRenderHint(QPainter::Antialiasing, false);
  const auto columns = extents_of(values, place.width());
  auto ground = color;
  ground.setAlpha(ground_alpha);
  std::optional<QPoint> before;
  for (int i = 0; i < place.width(); ++i) {
    const auto& column = columns[static_cast<std::size_t>(i)];
    if (!column.any) {
      // With fewer samples than pixels, some columns have none.
      if (static_cast<int>(values.size()) >= place.width()) before.reset();
      continue;
    }
    const int x = place.left() + i;
    const QPoint high(x, y_of(column.max));
    const QPoint low(x, y_of(column.min));
    painter.setPen(ground);
    painter.drawLine(high, QPoint(x, place.bottom()));
    painter.setPen(color);
    painter.drawLine(before.value_or(high), high);
    painter.drawLine(high, low);
    before = low;
  }
  if (limit && *limit > 0) {
    QPen dashed(color, 1, Qt::CustomDashLine);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(place.left(), y_of(*limit), place.right(), y_of(*limit));
  }
  if (before) painter.fillRect(QRect(*before - QPoint(1, 1), QSize(3, 3)), color);
}

QString fitting(const QFont& font, const QStringList& texts, int width) {
  const QFontMetrics metrics(font);
  for (const auto& text : texts)
    if (metrics.horizontalAdvance(text) <= width) return text;
  return texts.isEmpty() ? QString() : metrics.elidedText(texts.back(), Qt::ElideRight, width);
}

}  // namespace lw
