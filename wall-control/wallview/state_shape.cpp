#include "wall-control/wallview/state_shape.h"

#include <QPainter>
#include <QPolygonF>

namespace lw {

void draw_shape(QPainter& painter, StateShape shape, QPointF center, double size, const QColor& color) {
  const double half = size / 2;
  const auto at = [&](double x, double y) { return center + QPointF(x * half, y * half); };
  painter.save();
  painter.setPen(QPen(color, 2));
  painter.setBrush(shape == StateShape::triangle ? QBrush(color) : QBrush(Qt::NoBrush));
  switch (shape) {
    case StateShape::triangle:
      painter.drawPolygon(QPolygonF({at(-1, -1), at(1, 0), at(-1, 1)}));
      break;
    case StateShape::cross:
      painter.drawLine(at(-1, -1), at(1, 1));
      painter.drawLine(at(-1, 1), at(1, -1));
      break;
    case StateShape::square:
      painter.drawRect(QRectF(at(-1, -1), at(1, 1)));
      break;
    case StateShape::bars:
      painter.drawLine(at(-0.5, -1), at(-0.5, 1));
      painter.drawLine(at(0.5, -1), at(0.5, 1));
      break;
    case StateShape::ring:
      painter.drawEllipse(center, half, half);
      break;
  }
  painter.restore();
}

}  // namespace lw
