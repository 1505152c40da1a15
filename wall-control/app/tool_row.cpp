#include "wall-control/app/tool_row.h"

#include <QAction>
#include <QEvent>
#include <QToolButton>

#include <algorithm>

namespace lw {
namespace {

constexpr int between_px = 2;

QToolButton* button_of(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  const bool chip = action->property("chip").toBool();
  button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly
                             : chip                  ? Qt::ToolButtonTextBesideIcon
                                                     : Qt::ToolButtonIconOnly);
  button->setProperty("chip", chip);
  button->setAutoRaise(true);
  if (action->menu() != nullptr) button->setPopupMode(QToolButton::InstantPopup);
  return button;
}

}  // namespace

void ToolRow::set_actions(const QList<QAction*>& actions, QWidget& next) {
  for (auto* button : buttons_) button->deleteLater();
  buttons_.clear();
  for (auto* action : actions) {
    buttons_ << button_of(action);
    buttons_.back()->setParent(this);
    setTabOrder(buttons_.back(), &next);  // which is right of them, and was made before them
  }
  place_buttons();
  updateGeometry();
}

QList<QAction*> ToolRow::without_room() const {
  QList<QAction*> actions;
  for (const auto* button : buttons_)
    if (button->isHidden()) actions << button->defaultAction();
  return actions;
}

QSize ToolRow::sizeHint() const {
  QSize size(0, 0);
  for (const auto* button : buttons_) {
    const auto wanted = button->sizeHint();
    size.rwidth() += wanted.width() + (size.width() > 0 ? between_px : 0);
    size.setHeight(std::max(size.height(), wanted.height()));
  }
  return size;
}

// A button's words have changed, and with them its width.
bool ToolRow::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) {
    place_buttons();
    updateGeometry();
  }
  return QWidget::event(event);
}

void ToolRow::resizeEvent(QResizeEvent*) { place_buttons(); }

void ToolRow::place_buttons() {
  int x = 0;
  bool has_room = true;
  for (auto* button : buttons_) {
    const auto size = button->sizeHint();
    has_room = has_room && x + size.width() <= width();
    button->setVisible(has_room);
    button->setGeometry({QPoint(x, (height() - size.height()) / 2), size});
    x += size.width() + between_px;
  }
}

}  // namespace lw
