#include "wall-control/app/toast.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lw {
namespace {

constexpr int shown_ms = 6000;
constexpr int left_margin = 40;  // with the state's shape
constexpr int from_edge = 12;
constexpr int status_bar_px = 26;

}  // namespace

Toast::Toast(QWidget& window) : QFrame(&window), window_(window) {
  setObjectName("toast");
  words_ = new QLabel;
  words_->setWordWrap(true);
  offer_ = new QPushButton;
  offer_->setFlat(true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(left_margin, 8, 12, 8);
  layout->addWidget(words_, 1);
  layout->addWidget(offer_);
  ends_.setSingleShot(true);
  ends_.setInterval(shown_ms);
  connect(&ends_, &QTimer::timeout, this, &QWidget::hide);
  connect(offer_, &QPushButton::clicked, this, [this] {
    hide();
    if (run_) run_();
  });
  window.installEventFilter(this);
  hide();
}

void Toast::say(const QString& words, State state) { say(words, state, {}, {}); }

void Toast::say(const QString& words, State state, const QString& offer, const std::function<void()>& run) {
  state_ = state;
  run_ = run;
  words_->setText(words);
  offer_->setText(offer);
  offer_->setVisible(!offer.isEmpty());
  setAccessibleName(words);
  place();
  show();
  raise();
  ends_.start();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

QString Toast::words() const { return isVisible() ? words_->text() : QString(); }

void Toast::place() {
  setFixedWidth(std::min(type::scaled(440), window_.width() - 2 * from_edge));
  const int height = layout()->heightForWidth(width());
  resize(width(), std::max(height, sizeHint().height()));
  move(window_.width() - width() - from_edge, window_.height() - this->height() - from_edge - status_bar_px);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) place();
  return QFrame::eventFilter(watched, event);
}

void Toast::enterEvent(QEnterEvent* event) {
  ends_.stop();
  QFrame::enterEvent(event);
}

void Toast::leaveEvent(QEvent* event) {
  ends_.start();
  QFrame::leaveEvent(event);
}

void Toast::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::raised);
  painter.setPen(colors::edge);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  if (state_ == State::warn || state_ == State::crit) painter.fillRect(0, 0, 3, height(), color_of(state_));
  paint_state(painter, state_, QRectF(14, (height() - 15) / 2.0, 15, 15));
}

}  // namespace lw
