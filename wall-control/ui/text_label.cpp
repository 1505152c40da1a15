#include "wall-control/ui/text_label.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QEvent>
#include <QFontMetrics>

#include <algorithm>

namespace lw {
namespace {

constexpr int height_max = 10'000;

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

TextLabel* TextLabel::wrapping(double px, Tone tone, bool strong) {
  auto* label = new TextLabel({}, px, tone, strong);
  label->wraps_at_any_width_ = true;
  label->setWordWrap(true);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  label->setSizePolicy(policy);
  return label;
}

QSize TextLabel::sizeHint() const {
  if (!wraps_at_any_width_) return QLabel::sizeHint();
  const QFontMetrics metrics(type::sized(px_, strong_));
  return {metrics.horizontalAdvance(text()) + 1, metrics.height()};
}

// The longest word: the rest can be wrapped.
QSize TextLabel::minimumSizeHint() const {
  if (!wraps_at_any_width_) return QLabel::minimumSizeHint();
  const QFontMetrics metrics(type::sized(px_, strong_));
  int width = 0;
  for (const auto& word : text().split(' ')) width = std::max(width, metrics.horizontalAdvance(word) + 1);
  return {width, metrics.height()};
}

int TextLabel::heightForWidth(int width) const {
  if (!wraps_at_any_width_) return QLabel::heightForWidth(width);
  const QFontMetrics metrics(type::sized(px_, strong_));
  return metrics.boundingRect(QRect(0, 0, std::max(1, width), height_max), Qt::TextWordWrap, text()).height();
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
