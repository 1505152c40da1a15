#include "wall-control/ui/sparkline.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lw {
namespace {

constexpr int ground_alpha = 48;
constexpr double headroom = 1.15;  // above the greatest value

// Of the samples in one column of pixels.
struct Extent {
  float min = 0, max = 0;
  bool any = false;
  bool gap = false;
};

std::vector<Extent> extents_of(std::span<const float> values, int width) {
  std::vector<Extent> columns(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& column = columns[i * columns.size() / values.size()];
    column.gap |= std::isnan(values[i]);
    if (std::isnan(values[i])) continue;
    column.min = column.any ? std::min(column.min, values[i]) : values[i];
    column.max = column.any ? std::max(column.max, values[i]) : values[i];
    column.any = true;
  }
  return columns;
}

}  // namespace

void paint_sparkline(QPainter& painter, const QRect& place, std::span<const float> values, const QColor& color,
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
  std::vector<QLine> filled, lines;
  std::optional<QPoint> before;
  for (int i = 0; i < place.width(); ++i) {
    const auto& column = columns[static_cast<std::size_t>(i)];
    if (!column.any) {
      // With fewer samples than pixels, some columns have none.
      if (column.gap) before.reset();
      continue;
    }
    const int x = place.left() + i;
    const QPoint high(x, y_of(column.max));
    const QPoint low(x, y_of(column.min));
    filled.emplace_back(high, QPoint(x, place.bottom()));
    lines.emplace_back(before.value_or(high), high);
    lines.emplace_back(high, low);
    before = low;
  }
  auto ground = color;
  ground.setAlpha(ground_alpha);
  painter.setPen(ground);
  painter.drawLines(filled.data(), static_cast<int>(filled.size()));
  painter.setPen(color);
  painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  if (limit && *limit > 0) {
    QPen dashed(color, 1, Qt::CustomDashLine);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(place.left(), y_of(*limit), place.right(), y_of(*limit));
  }
  if (before) painter.fillRect(QRect(*before - QPoint(1, 1), QSize(3, 3)), color);
}

}  // namespace lw
