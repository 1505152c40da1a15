#include "wall-control/start/card.h"

#include "wall-control/ui/palette.h"

#include <QPainter>

namespace lw {

Card::Card(bool takes_files, QWidget* parent) : QWidget(parent), takes_files_(takes_files) {}

void Card::set_marked(bool marked) {
  marked_ = marked;
  update();
}

void Card::paintEvent(QPaintEvent*) {
  constexpr double radius = 6;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(marked_ ? colors::accent : takes_files_ ? colors::edge : colors::line, takes_files_ ? 2 : 1);
  if (takes_files_) pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.setBrush(marked_ ? colors::accent_soft : takes_files_ ? colors::window : colors::panel);
  const double inset = pen.widthF() / 2;
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), radius, radius);
}

Rule::Rule(QWidget* parent) : QWidget(parent) { setFixedHeight(1); }

void Rule::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), colors::line); }

}  // namespace lw
