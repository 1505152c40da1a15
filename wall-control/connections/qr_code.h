// A text as a QR code (ISO/IEC 18004): dark on light in every theme, within the light border that readers need.
#pragma once

#include <QImage>
#include <QWidget>

namespace lw {

// One pixel for each module, with the border. Null if the text is empty or too long.
QImage qr_modules(const QByteArray& text);
inline constexpr int qr_border_modules = 4;

class QrCode final : public QWidget {
public:
  explicit QrCode(QWidget* parent = nullptr);

  // Empty: the place of the code stays free.
  void show_text(const QByteArray& text);
  [[nodiscard]] bool is_shown() const { return !modules_.isNull(); }
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  QImage modules_;
};

}  // namespace lw
