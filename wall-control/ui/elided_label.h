// A line of text that is shortened with an ellipsis where it has no room; then the tooltip shows all of it.
#pragma once

#include "wall-control/ui/type.h"

#include <QFontMetrics>
#include <QPainter>
#include <QWidget>

namespace lw {

class ElidedLabel : public QWidget {
public:
  // `px`: the size of its text, as in type.h.
  explicit ElidedLabel(double px, Qt::Alignment alignment = Qt::AlignLeft, QWidget* parent = nullptr)
      : QWidget(parent), px_(px), alignment_(alignment) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setForegroundRole(QPalette::WindowText);
  }

  [[nodiscard]] const QString& text() const { return text_; }
  void set_text(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setAccessibleName(text);
    updateGeometry();
    show_all_or_not();
    update();
  }
  [[nodiscard]] bool is_elided() const { return text_width() > width(); }
  [[nodiscard]] QSize sizeHint() const override { return {text_width(), QFontMetrics(type::sized(px_)).height()}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, QFontMetrics(type::sized(px_)).height()}; }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setFont(type::sized(px_));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), static_cast<int>(alignment_ | Qt::AlignVCenter),
                     painter.fontMetrics().elidedText(text_, Qt::ElideRight, width()));
  }
  void resizeEvent(QResizeEvent*) override { show_all_or_not(); }

private:
  [[nodiscard]] int text_width() const { return QFontMetrics(type::sized(px_)).horizontalAdvance(text_); }
  void show_all_or_not() { setToolTip(is_elided() ? text_ : QString()); }

  double px_;
  Qt::Alignment alignment_;
  QString text_;
};

}  // namespace lw
