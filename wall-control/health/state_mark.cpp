#include "wall-control/health/state_mark.h"

#include "wall-control/ui/type.h"

#include <QPainter>

#include <algorithm>

namespace lw {

StateMark::StateMark(double px, QWidget* parent) : QWidget(parent), px_(px) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateMark::set_state(State state) {
  if (state == state_) return;
  state_ = state;
  update();
}

QSize StateMark::sizeHint() const { return {type::scaled(px_), type::scaled(px_)}; }

void StateMark::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int side = std::min(width(), height());
  paint_state(painter, state_, QRectF((width() - side) / 2.0, (height() - side) / 2.0, side, side));
}

}  // namespace lw
