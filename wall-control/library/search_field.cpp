#include "wall-control/library/search_field.h"

#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QAction>
#include <QEvent>
#include <QPainter>

namespace lw {

SearchField::SearchField(const QString& placeholder, const QKeySequence& key, QWidget* parent)
    : QLineEdit(parent), hint_(key.toString(QKeySequence::NativeText)) {
  setPlaceholderText(placeholder);
  setAccessibleName(placeholder);
  setClearButtonEnabled(true);
  glass_ = addAction(QIcon(), QLineEdit::LeadingPosition);
  show_glass();
}

void SearchField::show_glass() { glass_->setIcon(icon(Icon::search, colors::text3)); }

void SearchField::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (!text().isEmpty()) return;
  QPainter painter(this);
  painter.setFont(type::sized(10));
  const auto size = painter.fontMetrics().size(Qt::TextSingleLine, hint_) + QSize(9, 3);
  const QRect place(QPoint(width() - size.width() - 8, (height() - size.height()) / 2), size);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(colors::line);
  painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  painter.setPen(colors::text3);
  painter.drawText(place, Qt::AlignCenter, hint_);
}

void SearchField::changeEvent(QEvent* event) {
  QLineEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && glass_ != nullptr) show_glass();
}

}  // namespace lw
