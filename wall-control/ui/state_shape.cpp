#include "wall-control/ui/state_shape.h"

#include "wall-control/ui/palette.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace lw {
namespace {

QPainterPath octagon() {
  QPainterPath path;
  for (int corner = 0; corner < 8; ++corner) {
    const double angle = (corner + 0.5) * std::numbers::pi / 4;
    const QPointF at(std::cos(angle), std::sin(angle));
    corner == 0 ? path.moveTo(at) : path.lineTo(at);
  }
  path.closeSubpath();
  return path;
}

QPainterPath triangle() {
  QPainterPath path(QPointF(0, -0.95));
  path.lineTo(1, 0.85);
  path.lineTo(-1, 0.85);
  path.closeSubpath();
  return path;
}

void paint_mark(QPainter& painter, State state) {
  switch (state) {
    case State::ok:
      painter.drawPolyline(QPolygonF({{-0.45, 0.05}, {-0.12, 0.38}, {0.48, -0.32}}));
      break;
    case State::warn:
      painter.drawLine(QPointF(0, -0.3), QPointF(0, 0.2));
      painter.drawPoint(QPointF(0, 0.55));
      break;
    case State::crit:
      painter.drawLine(QPointF(-0.35, -0.35), QPointF(0.35, 0.35));
      painter.drawLine(QPointF(-0.35, 0.35), QPointF(0.35, -0.35));
      break;
    case State::off:
      break;
    case State::note:
      painter.drawLine(QPointF(0, -0.05), QPointF(0, 0.45));
      painter.drawPoint(QPointF(0, -0.45));
      break;
  }
}

}  // namespace

QColor color_of(State state) {
  switch (state) {
    case State::ok:
      return colors::ok;
    case State::warn:
      return colors::warn;
    case State::crit:
      return colors::crit;
    case State::off:
      return colors::off;
    case State::note:
      break;
  }
  return colors::text3;
}

QColor soft_color_of(State state) {
  switch (state) {
    case State::ok:
      return colors::ok_soft;
    case State::warn:
      return colors::warn_soft;
    case State::crit:
      return colors::crit_soft;
    case State::off:
    case State::note:
      break;
  }
  return colors::raised;
}

QColor color_on_wall(State state) {
  switch (state) {
    case State::ok:
      return QColor::fromRgb(colors::ok_on_wall);
    case State::warn:
      return QColor::fromRgb(colors::warn_on_wall);
    case State::crit:
      return QColor::fromRgb(colors::crit_on_wall);
    case State::off:
    case State::note:
      break;
  }
  return QColor::fromRgb(colors::off_on_wall);
}

void paint_state(QPainter& painter, State state, const QRectF& place, const QColor& color, const QColor& mark) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(place.center());
  painter.scale(place.width() / 2, place.height() / 2);
  const bool hollow = state == State::off || state == State::note;
  painter.setPen(hollow ? QPen(color, 0.2) : QPen(Qt::NoPen));
  if (state == State::off) {
    QPen ring(color, 0.24, Qt::CustomDashLine, Qt::FlatCap);
    ring.setDashPattern({1.9, 1.5});
    painter.setPen(ring);
  }
  painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(color));
  if (state == State::crit)
    painter.drawPath(octagon());
  else if (state == State::warn)
    painter.drawPath(triangle());
  else
    painter.drawEllipse(QPointF(), hollow ? 0.85 : 1, hollow ? 0.85 : 1);
  painter.setPen(QPen(state == State::note ? color : mark, 0.26, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  paint_mark(painter, state);
  painter.restore();
}

void paint_state(QPainter& painter, State state, const QRectF& place) {
  paint_state(painter, state, place, color_of(state), colors::panel);
}

}  // namespace lw
