#include "wall-control/transport/position_text.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/type.h"

#include <QPainter>

namespace lw {
namespace {

constexpr double text_gap = 8;

QFont time_font() { return type::sized(16, true); }
QFont length_font() { return type::sized(13); }
QFont frame_font() { return type::sized(12); }

}  // namespace

PositionText::PositionText(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Position"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void PositionText::show_words(const Words& words) {
  if (words == words_) return;
  words_ = words;
  QStringList parts;
  if (!words.time.isEmpty()) parts << tr("%1 of %2").arg(words.time, words.length) << words.frame;
  if (!words.warning.isEmpty()) parts << words.warning;
  setAccessibleDescription(parts.join(", "));
  setToolTip(parts.join('\n'));
  update();
}

QSize PositionText::sizeHint() const {
  const double width = type::figure_width(time_font(), "00:00.0") + type::figure_width(length_font(), " / 00:00.0");
  return {static_cast<int>(width + type::figure_width(frame_font(), "frame 00000 of 00000") + 3 * text_gap),
          type::scaled(26)};
}

QSize PositionText::minimumSizeHint() const {
  return {static_cast<int>(type::figure_width(time_font(), "0:00.0") + text_gap), type::scaled(26)};
}

void PositionText::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  double x = 0;
  const auto put = [&](const QFont& font, const QColor& color, const QString& text, bool always = false) {
    const double width = type::figure_width(font, text);
    if (text.isEmpty() || (!always && x + width > this->width())) return;
    painter.setFont(font);
    painter.setPen(color);
    type::paint_figure(painter, QRectF(x, 0, width, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += width + text_gap;
  };
  put(time_font(), colors::text, words_.time, true);
  if (!words_.length.isEmpty()) put(length_font(), colors::text2, "/ " + words_.length);
  if (words_.warning.isEmpty()) return put(frame_font(), colors::text3, words_.frame);
  if (x + 16 > width()) return;
  paint_state(painter, State::warn, QRectF(x, height() / 2.0 - 6, 12, 12));
  x += 16;
  put(frame_font(), colors::warn, words_.warning);
}

}  // namespace lw
