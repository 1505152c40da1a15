#include "wall-control/library/delete_dialog.h"

#include "wall-control/models/library_model.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

namespace lw {

DeleteDialog::DeleteDialog(const VisualizationRow& row, QWidget* parent) : QDialog(parent), name_(row.name) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Delete %1").arg(row.name));
  auto* first = new QLabel(tr("Delete <b>%1</b> with its %2 frames (%3) from the disks of the wall's servers?<br>"
                              "Nothing brings them back but ingesting them again.")
                               .arg(row.title.toHtmlEscaped())
                               .arg(row.frames)
                               .arg(bytes_text(row.bytes)));
  first->setTextFormat(Qt::RichText);
  first->setWordWrap(true);
  typed_ = new QLineEdit;
  typed_->setObjectName("typed");
  typed_->setAccessibleName(tr("Name of what is to be deleted"));
  auto* second = new QWidget;
  auto* second_layout = new QVBoxLayout(second);
  second_layout->setContentsMargins(0, 0, 0, 0);
  auto* ask_name = new QLabel(tr("To delete it, type its name: <b>%1</b>").arg(row.name.toHtmlEscaped()));
  ask_name->setTextFormat(Qt::RichText);
  second_layout->addWidget(ask_name);
  second_layout->addWidget(typed_);
  questions_ = new QStackedWidget;
  questions_->addWidget(first);
  questions_->addWidget(second);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  delete_ = buttons->addButton(tr("Delete"), QDialogButtonBox::ActionRole);
  buttons->button(QDialogButtonBox::Cancel)->setDefault(true);
  delete_->setAutoDefault(false);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(questions_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(delete_, &QPushButton::clicked, this, &DeleteDialog::go_on);
  connect(typed_, &QLineEdit::textChanged, this, [this](const QString& text) { delete_->setEnabled(text == name_); });
  resize(460, sizeHint().height());
}

void DeleteDialog::go_on() {
  if (questions_->currentIndex() == 1) return accept();
  questions_->setCurrentIndex(1);
  delete_->setText(tr("Delete for good"));
  delete_->setEnabled(false);
  typed_->setFocus();
}

}  // namespace lw
