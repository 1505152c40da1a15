// A shape for each state, so that nobody has to distinguish colours.
#pragma once

#include <QColor>
#include <QPointF>

class QPainter;

namespace lw {

enum class StateShape : unsigned char {
  triangle,  // playing
  cross,     // degraded
  square,    // showing something else
  bars,      // waiting
  ring,      // not connected
};

void draw_shape(QPainter& painter, StateShape shape, QPointF center, double size, const QColor& color);

}  // namespace lw
