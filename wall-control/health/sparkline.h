// A line without axes that shows how a figure came about. Drawn with hair lines, which cost little.
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QFont;
class QPainter;
class QRect;

namespace lw {

// `values`: the newest last, gaps are not a number; `limit` is drawn dashed.
void paint_sparkline(QPainter& painter, const QRect& place, const std::vector<float>& values, const QColor& color,
                     const std::optional<double>& limit = std::nullopt);

// The first of the texts that fits, or else the last one with an ellipsis.
QString fitting(const QFont& font, const QStringList& texts, int width);

}  // namespace lw
