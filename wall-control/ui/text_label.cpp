#include "wall-control/ui/text_label.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QEvent>

namespace lw {
namespace {

const QColor& color_of(Tone tone) {
  return tone == Tone::text ? colors::text : tone == Tone::text2 ? colors::text2 : colors::text3;
}

}  // namespace

TextLabel::TextLabel(const QString& text, double px, Tone tone, bool strong, QWidget* parent)
    : QLabel(text, parent), px_(px), tone_(tone), strong_(strong) {
  setTextFormat(Qt::PlainText);
  restyle();
}

void TextLabel::set_tone(Tone tone) {
  tone_ = tone;
  restyle();
}

void TextLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange) restyle();
  QLabel::changeEvent(event);
}

void TextLabel::restyle() {
  const auto style = QString("font-size: %1pt; font-weight: %2; color: %3;")
                         .arg(type::sized(px_).pointSizeF())
                         .arg(strong_ ? QFont::DemiBold : QFont::Normal)
                         .arg(color_of(tone_).name());
  if (style != styleSheet()) setStyleSheet(style);
}

}  // namespace lw
