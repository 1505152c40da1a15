#include "wall-control/connections/keep_dialog.h"

#include "common/access/tokens.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

namespace lw {

KeepDialog::KeepDialog(Profile profile, QWidget* window)
    : Question(Icon::save, tr("Save this connection"), window),
      profile_(std::move(profile)),
      name_(new QLineEdit(profile_.name)),
      token_(new QLineEdit(profile_.token)),
      view_only_(new QCheckBox(tr("View only: nothing on the wall can be changed from here"))) {
  setObjectName("save-connection");
  add_text(tr("%1 gets a name in the list of walls, and a key: Alt+1 for the first.").arg(profile_.address));
  name_->setObjectName("wall-name");
  name_->setAccessibleName(tr("Name of the wall"));
  token_->setObjectName("wall-token");
  token_->setEchoMode(QLineEdit::Password);
  token_->setPlaceholderText(tr("none"));
  token_->setAccessibleName(tr("Token for this server"));
  token_->setToolTip(
      tr("\"wall-server --add-token\" prints one. Saved in this program's settings, which only you can "
         "read"));
  view_only_->setObjectName("keep-view-only");
  view_only_->setChecked(profile_.view_only);
  auto* fields = new QWidget;
  auto* form = new QFormLayout(fields);
  form->setContentsMargins(0, 4, 0, 4);
  form->addRow(tr("Name"), name_);
  form->addRow(tr("Token"), token_);
  form->addRow(view_only_);
  add(fields);
  add_buttons(tr("Save"), tr("Cancel"));
  yes()->setObjectName("save");
  const auto check = [this] {
    const auto token = token_->text().trimmed();
    yes()->setEnabled(!name_->text().trimmed().isEmpty() && (token.isEmpty() || is_token(token.toStdString())));
  };
  for (auto* field : {name_, token_}) {
    connect(field, &QLineEdit::textChanged, this, check);
    connect(field, &QLineEdit::returnPressed, yes(), &QPushButton::click);
  }
  check();
  name_->setFocus();
  name_->selectAll();
}

Profile KeepDialog::profile() const {
  auto changed = profile_;
  changed.name = name_->text().trimmed();
  changed.token = token_->text().trimmed();
  changed.view_only = view_only_->isChecked();
  return changed;
}

}  // namespace lw
