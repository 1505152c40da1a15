// The outline of what has the keyboard.
#pragma once

#include "wall-control/ui/palette.h"

#include <QPainter>

namespace lw {

inline void paint_focus_ring(QPainter& painter, const QRect& place) {
  painter.setPen(QPen(colors::accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(place.adjusted(1, 1, -1, -1));
}

}  // namespace lw
