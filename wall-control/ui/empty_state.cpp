#include "wall-control/ui/empty_state.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>

namespace lw {
namespace {

constexpr int icon_size = 26;

}  // namespace

EmptyState::EmptyState(Icon meaning, QWidget* parent) : QWidget(parent), meaning_(meaning) {
  icon_ = new QLabel;
  what_ = new QLabel;
  why_ = new QLabel;
  button_ = new QPushButton;
  button_->setObjectName("empty-action");
  for (auto* label : {icon_, what_, why_}) label->setAlignment(Qt::AlignHCenter);
  for (auto* label : {what_, why_}) label->setWordWrap(true);
  what_->setObjectName("empty-what");
  why_->setObjectName("empty-why");
  auto* layout = new QVBoxLayout(this);
  layout->addStretch(1);
  for (auto* label : {icon_, what_, why_}) layout->addWidget(label);
  layout->addSpacing(4);
  layout->addWidget(button_, 0, Qt::AlignHCenter);
  layout->addStretch(1);
  connect(button_, &QPushButton::clicked, this, &EmptyState::wanted);
  show_icon();
}

void EmptyState::say(const QString& what, const QString& why, const QString& action) {
  what_->setText(what);
  why_->setText(why);
  button_->setText(action);
  button_->setVisible(!action.isEmpty());
}

void EmptyState::show_icon() {
  icon_->setPixmap(icon(meaning_, colors::text3).pixmap(icon_size, icon_size));
  what_->setFont(type::sized(13, true));
  auto shade = why_->palette();
  shade.setColor(QPalette::WindowText, colors::text2);
  why_->setPalette(shade);
}

void EmptyState::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) show_icon();
}

}  // namespace lw
