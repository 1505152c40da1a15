#include "wall-control/connections/keep_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

namespace lw {

KeepDialog::KeepDialog(Profile profile, QWidget* parent)
    : QDialog(parent), profile_(std::move(profile)), name_(new QLineEdit(profile_.name)), token_(new QLineEdit) {
  setWindowTitle(tr("Keep this wall"));
  name_->setObjectName("wall-name");
  token_->setObjectName("wall-token");
  token_->setEchoMode(QLineEdit::Password);
  token_->setText(profile_.token);
  token_->setPlaceholderText(tr("none"));
  token_->setToolTip(
      tr("What wall-server --add-token printed. Kept in this program's settings, for you alone to read"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout(this);
  form->addRow(tr("Address"), new QLabel(profile_.address));
  form->addRow(tr("Name"), name_);
  form->addRow(tr("Token"), token_);
  form->addRow(buttons);
  setMinimumWidth(420);
}

Profile KeepDialog::profile() const {
  auto changed = profile_;
  changed.name = name_->text().trimmed();
  changed.token = token_->text().trimmed();
  return changed;
}

}  // namespace lw
