#include "wall-control/ui/state_note.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QPainter>
#include <QVBoxLayout>

namespace lw {
namespace {

constexpr int note_margin = 8;
constexpr int note_shape = 14;
constexpr int note_text_left = note_margin + note_shape + 8;

}  // namespace

StateNote::StateNote(State state, const QString& words, QWidget* parent)
    : QWidget(parent), state_(state), words_(words) {
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(4);
  setAccessibleName(words);
  make_room();
}

void StateNote::say(State state, const QString& words) {
  if (state == state_ && words == words_) return;
  state_ = state;
  words_ = words;
  setAccessibleName(words);
  make_room();
  update();
}

int StateNote::text_height() const {
  const QFontMetrics metrics(type::sized(13));
  const QRect place(0, 0, std::max(80, width() - note_text_left - note_margin), 10'000);
  return std::max(note_shape, metrics.boundingRect(place, Qt::TextWordWrap, words_).height());
}

void StateNote::make_room() {
  layout()->setContentsMargins(note_text_left, note_margin / 2 + text_height() + 4, note_margin, note_margin / 2);
  setMinimumHeight(text_height() + note_margin);
}

void StateNote::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  make_room();
}

void StateNote::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), soft_color_of(state_));
  paint_state(painter, state_, QRectF(note_margin, note_margin / 2.0 + 1, note_shape, note_shape), color_of(state_),
              soft_color_of(state_));
  painter.setFont(type::sized(13));
  painter.setPen(colors::text);
  painter.drawText(QRect(note_text_left, note_margin / 2, width() - note_text_left - note_margin, text_height()),
                   Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter, words_);
}

}  // namespace lw
