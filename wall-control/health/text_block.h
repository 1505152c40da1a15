// A text of one size and weight in a colour of the theme, wrapped at the width that it gets. Style sheets do not change
// its size, which a label's would be.
#pragma once

#include <QWidget>

namespace lw {

class TextBlock : public QWidget {
  Q_OBJECT

public:
  // `color`: of wall-control/ui/palette.h, read whenever it is drawn.
  TextBlock(double px, bool strong, const QColor& color, QWidget* parent = nullptr);

  void set_text(const QString& text);
  [[nodiscard]] const QString& text() const { return text_; }

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  double px_;
  bool strong_;
  const QColor* color_;
  QString text_;
};

}  // namespace lw
