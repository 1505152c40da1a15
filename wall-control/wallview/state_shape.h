// A shape for each state, so that nobody needs to tell colours apart.
#pragma once

#include <QColor>
#include <QPointF>

class QPainter;

namespace lw {

enum class StateShape : unsigned char {
  triangle,  // plays
  cross,     // is in trouble
  square,    // shows something else
  bars,      // waits
  ring,      // is gone
};

void draw_shape(QPainter& painter, StateShape shape, QPointF center, double size, const QColor& color);

}  // namespace lw
