#include "wall-control/connections/connection_label.h"

#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/sign.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

namespace lw {
namespace {

constexpr int label_sign_px = 13;
constexpr int shape_px = 12;

}  // namespace

ConnectionLabel::ConnectionLabel(const Connection& connection, QWidget* parent)
    : QWidget(parent),
      connection_(connection),
      words_(new TextLabel({}, 12, Tone::text2)),
      lock_(new QLabel),
      address_(new TextLabel({}, 12, Tone::text2)) {
  words_->setObjectName("link-state");
  words_->setAccessibleName(tr("State of the connection"));
  address_->setObjectName("link-address");
  address_->setAccessibleName(tr("Address of the server"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(shape_px + 14, 0, 8, 0);
  row->setSpacing(6);
  row->addWidget(words_);
  row->addSpacing(8);
  row->addWidget(lock_);
  row->addWidget(address_);
  connect(&connection_, &Connection::changed, this, &ConnectionLabel::refresh);
  refresh();
}

void ConnectionLabel::refresh() {
  words_->setText(connection_.words());
  setToolTip(connection_.all_words());
  // Words about a failure name the address themselves.
  const bool connected = connection_.connected();
  address_->setText(connected ? connection_.address() : QString());
  address_->setVisible(connected);
  lock_->setVisible(connected && connection_.encrypted());
  lock_->setPixmap(icon(Icon::locked, colors::text3).pixmap(label_sign_px, label_sign_px));
  lock_->setToolTip(tr("The connection is encrypted, and the server's certificate is known"));
  update();
}

void ConnectionLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_state(painter, connection_.shape(), QRectF(8, (height() - shape_px) / 2.0, shape_px, shape_px),
              color_of(connection_.shape()), colors::window);
}

void ConnectionLabel::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}

void ConnectionLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) refresh();
  QWidget::changeEvent(event);
}

RoleLabel::RoleLabel(const Connection& connection, QWidget* parent)
    : QWidget(parent), connection_(connection), words_(new TextLabel({}, 12, Tone::text2)) {
  words_->setObjectName("role");
  words_->setAccessibleName(tr("What the server lets this program do"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 0, 4, 0);
  row->setSpacing(4);
  row->addWidget(new Sign(Icon::person, label_sign_px));
  row->addWidget(words_);
  connect(&connection_, &Connection::changed, this, &RoleLabel::refresh);
  refresh();
}

void RoleLabel::refresh() {
  setVisible(!connection_.role().isEmpty());
  words_->setText(connection_.role());
  setToolTip(connection_.role_tip());
}

}  // namespace lw
