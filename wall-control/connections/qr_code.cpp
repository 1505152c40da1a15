#include "wall-control/connections/qr_code.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <qrencode.h>
#include <QEvent>
#include <QPainter>

#include <memory>

namespace lw {
namespace {

constexpr int qr_side_px = 232;
constexpr uchar light_module = 255, dark_module = 0;

}  // namespace

QImage qr_modules(const QByteArray& text) {
  // Level M survives damage to 15 % of the code, such as a reflection on the display.
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeData(static_cast<int>(text.size()), reinterpret_cast<const unsigned char*>(text.constData()), 0,
                        QR_ECLEVEL_M),
      &QRcode_free);
  if (!code) return {};
  const int side = code->width + 2 * qr_border_modules;
  QImage modules(side, side, QImage::Format_Grayscale8);
  modules.fill(light_module);
  for (int row = 0; row < code->width; ++row)
    for (int column = 0; column < code->width; ++column)
      if ((code->data[row * code->width + column] & 1U) != 0)
        modules.scanLine(row + qr_border_modules)[column + qr_border_modules] = dark_module;
  return modules;
}

QrCode::QrCode(QWidget* parent) : QWidget(parent) { setFixedSize(QrCode::sizeHint()); }

void QrCode::show_text(const QByteArray& text) {
  modules_ = qr_modules(text);
  update();
}

QSize QrCode::sizeHint() const { return {type::scaled(qr_side_px), type::scaled(qr_side_px)}; }

// The text's size may be another one.
void QrCode::changeEvent(QEvent* event) {
  if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) setFixedSize(sizeHint());
  QWidget::changeEvent(event);
}

void QrCode::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (modules_.isNull()) {
    painter.setPen(colors::line);
    painter.setBrush(colors::well);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    return;
  }
  // Modules of whole pixels, so that none is wider than another one.
  const int module = std::max(1, std::min(width(), height()) / modules_.width());
  painter.fillRect(rect(), QColor::fromRgb(light_module, light_module, light_module));
  QRect place(QPoint(), modules_.size() * module);
  place.moveCenter(rect().center());
  painter.drawImage(place, modules_);
}

}  // namespace lw
