#include "wall-control/health/text_block.h"

#include "wall-control/ui/type.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

namespace lw {
namespace {

constexpr int height_max = 10'000;

}  // namespace

TextBlock::TextBlock(double px, bool strong, const QColor& color, QWidget* parent)
    : QWidget(parent), px_(px), strong_(strong), color_(&color) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TextBlock::set_text(const QString& text) {
  if (text == text_) return;
  text_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

int TextBlock::heightForWidth(int width) const {
  const QFontMetrics metrics(type::sized(px_, strong_));
  return metrics.boundingRect(QRect(0, 0, std::max(1, width), height_max), Qt::TextWordWrap, text_).height();
}

QSize TextBlock::sizeHint() const {
  const QFontMetrics metrics(type::sized(px_, strong_));
  return {metrics.horizontalAdvance(text_) + 1, metrics.height()};
}

// The longest word: the rest can be wrapped.
QSize TextBlock::minimumSizeHint() const {
  const QFontMetrics metrics(type::sized(px_, strong_));
  int width = 0;
  for (const auto& word : text_.split(' ')) width = std::max(width, metrics.horizontalAdvance(word) + 1);
  return {width, metrics.height()};
}

void TextBlock::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(type::sized(px_, strong_));
  painter.setPen(*color_);
  painter.drawText(rect(), Qt::TextWordWrap | Qt::AlignVCenter | Qt::AlignLeft, text_);
}

void TextBlock::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
  QWidget::changeEvent(event);
}

}  // namespace lw
