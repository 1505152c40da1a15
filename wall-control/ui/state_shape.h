// The states of everything shown. Each has its own solid shape, legible at 11 pixels, so that nobody has to distinguish
// colours. Severity is what the audience sees: repaired loss is a warning; concealed, missing or late
// frames are faults.
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace lw {

enum class State : unsigned char {
  ok,    // disc with a tick
  warn,  // triangle with an exclamation mark: degraded, what is shown is intact
  crit,  // octagon with a cross: the audience can see it
  off,   // dashed ring: nothing to show, or nobody answers
  note,  // circle with an i: something happened, nothing to do
};

QColor color_of(State state);
QColor soft_color_of(State state);
// Over frames of a visualization, in every theme.
QColor color_on_wall(State state);

// Fills the square `place`; `mark`: the colour of what is inside the shape, that of the ground around it.
void paint_state(QPainter& painter, State state, const QRectF& place, const QColor& color, const QColor& mark);
// On a panel of the window.
void paint_state(QPainter& painter, State state, const QRectF& place);

}  // namespace lw
