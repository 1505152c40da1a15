#include "wall-control/ui/question.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QPushButton>

namespace lw {
namespace {

constexpr int icon_px = 26;
constexpr int width_px = 400;

}  // namespace

Question::Question(Icon meaning, const QString& title, QWidget* parent) : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(24, 20, 24, 20);
  row->setSpacing(12);
  if (meaning != Icon::none) {
    auto* sign = new QLabel;
    sign->setPixmap(icon(meaning, colors::accent).pixmap(icon_px, icon_px));
    row->addWidget(sign, 0, Qt::AlignTop);
  }
  content_ = new QVBoxLayout;
  content_->setSpacing(8);
  row->addLayout(content_, 1);
  auto* heading = new TextLabel(title, 16, Tone::text, true);
  heading->setWordWrap(true);
  heading->setObjectName("question");
  content_->addWidget(heading);
  setMinimumWidth(type::scaled(width_px));
}

void Question::add_text(const QString& text) {
  auto* label = new TextLabel(text, type::body_px, Tone::text2);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  content_->addWidget(label);
}

void Question::add(QWidget* part, Qt::Alignment alignment) { content_->addWidget(part, 0, alignment); }

void Question::add_buttons(const QString& yes, const QString& no) {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 8, 0, 0);
  row->addStretch(1);
  no_ = new QPushButton(no);
  connect(no_, &QPushButton::clicked, this, &QDialog::reject);
  row->addWidget(no_);
  if (!yes.isEmpty()) {
    yes_ = new QPushButton(yes);
    yes_->setProperty("primary", true);
    connect(yes_, &QPushButton::clicked, this, &QDialog::accept);
    row->addWidget(yes_);
  }
  // Return in a field must not give the unsafe answer.
  for (auto* button : {no_, yes_})
    if (button != nullptr) button->setAutoDefault(false);
  content_->addStretch(1);
  content_->addLayout(row);
  no_->setFocus();
}

}  // namespace lw
