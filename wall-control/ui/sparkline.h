// A line without axes that shows how a figure came about. Drawn with hair lines, which cost little.
#pragma once

#include <QColor>

#include <optional>
#include <span>

class QPainter;
class QRect;

namespace lw {

// `values`: the newest last, gaps are not a number; `limit` is drawn dashed.
void paint_sparkline(QPainter& painter, const QRect& place, std::span<const float> values, const QColor& color,
                     const std::optional<double>& limit = std::nullopt);

}  // namespace lw
