#include "wall-control/transport/play_button.h"

#include "wall-control/ui/palette.h"

#include <QPainter>

namespace lw {

PlayButton::PlayButton(QAction* action, QWidget* parent) : QToolButton(parent) {
  setDefaultAction(action);
  setToolButtonStyle(Qt::ToolButtonIconOnly);
  setFocusPolicy(Qt::TabFocus);
  setFixedSize(PlayButton::sizeHint());
}

void PlayButton::set_playing(bool playing) {
  if (playing == playing_) return;
  playing_ = playing;
  update();
}

void PlayButton::set_waiting(bool waiting) {
  if (waiting == waiting_) return;
  waiting_ = waiting;
  update();
}

QSize PlayButton::sizeHint() const { return {38, 32}; }

void PlayButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool usable = isEnabled();
  auto ground = usable ? colors::accent : colors::raised;
  if (usable && (isDown() || underMouse())) ground = ground.lighter(108);
  painter.setPen(usable ? Qt::NoPen : QPen(colors::line, 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 4, 4);
  auto shape = usable ? colors::on_accent : colors::disabled;
  if (waiting_) shape.setAlphaF(0.45F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(shape);
  const QPointF middle = QRectF(rect()).center();
  if (playing_) {
    for (const double x : {-6.0, 2.0}) painter.drawRoundedRect(QRectF(middle.x() + x, middle.y() - 7, 4, 14), 1, 1);
  } else {
    painter.drawPolygon(QPolygonF({middle + QPointF(-5, -7), middle + QPointF(7, 0), middle + QPointF(-5, 7)}));
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(colors::accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
}

}  // namespace lw
