#include "wall-control/plots/hover_card.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace lw {
namespace {

constexpr int card_margin = 12, card_gap = 16, from_pointer = 14;

}  // namespace

QString HoverText::as_text() const {
  QStringList lines;
  if (!title.isEmpty()) lines << title;
  if (!context.isEmpty()) lines << context;
  for (const auto& [name, value] : rows) lines << name + ": " + value;
  return lines.join('\n');
}

HoverCard::HoverCard(QWidget* window) : QWidget(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setObjectName("hover-card");
  hide();
}

void HoverCard::show_at(const QPoint& global, HoverText text) {
  text_ = std::move(text);
  const QFontMetrics strong(type::sized(12, true)), usual(type::sized(11));
  int width = std::max(strong.horizontalAdvance(text_.title), usual.horizontalAdvance(text_.context));
  for (const auto& [name, value] : text_.rows)
    width = std::max(width, usual.horizontalAdvance(name) + card_gap + strong.horizontalAdvance(value));
  const int line = strong.height() + 2;
  const int lines = 1 + (text_.context.isEmpty() ? 0 : 1) + static_cast<int>(text_.rows.size());
  resize(width + 2 * card_margin, lines * line + 2 * card_margin);
  const auto window = parentWidget()->rect();
  auto place = parentWidget()->mapFromGlobal(global) + QPoint(from_pointer, from_pointer);
  if (place.x() + this->width() > window.right()) place.rx() -= this->width() + 2 * from_pointer;
  if (place.y() + height() > window.bottom()) place.ry() -= height() + 2 * from_pointer;
  move(std::max(0, place.x()), std::max(0, place.y()));
  setAccessibleName(text_.as_text());
  raise();
  show();
  update();
}

void HoverCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(colors::edge);
  painter.setBrush(colors::raised);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  const int line = QFontMetrics(type::sized(12, true)).height() + 2;
  QRect place(card_margin, card_margin, width() - 2 * card_margin, line);
  const auto write = [&](const QString& text, const QFont& font, const QColor& color, int alignment) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(place, alignment | Qt::AlignVCenter, text);
  };
  write(text_.title, type::sized(12, true), colors::text, Qt::AlignLeft);
  place.translate(0, line);
  if (!text_.context.isEmpty()) {
    write(text_.context, type::sized(11), colors::text3, Qt::AlignLeft);
    place.translate(0, line);
  }
  for (const auto& [name, value] : text_.rows) {
    write(name, type::sized(11), colors::text2, Qt::AlignLeft);
    write(value, type::sized(12, true), colors::text, Qt::AlignRight);
    place.translate(0, line);
  }
}

}  // namespace lw
