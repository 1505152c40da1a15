#include "wall-control/ui/sign.h"

#include <QPainter>

namespace lw {

Sign::Sign(Icon meaning, int px, QWidget* parent) : QWidget(parent), meaning_(meaning) { setFixedSize(px, px); }

void Sign::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  icon(meaning_).paint(&painter, rect());
}

}  // namespace lw
