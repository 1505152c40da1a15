#include "wall-control/library/delete_dialog.h"

#include "wall-control/models/library_model.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/state_note.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>

namespace lw {

DeleteDialog::DeleteDialog(const VisualizationRow& row, QWidget* parent)
    : Question(Icon::remove, tr("Delete \u201c%1\u201d?").arg(row.title), parent),
      name_(row.name),
      title_(row.title),
      typed_(new QLineEdit),
      note_(new StateNote(State::warn, {})) {
  setObjectName("delete");
  const auto where = row.servers.isEmpty() ? tr("the server's disks") : tr("the disks of all servers of the wall");
  add_text(row.described() ? tr("Its %1 (%2) are removed from %3. This cannot be undone.")
                                 .arg(counts::frames(row.frames), bytes_text(row.bytes), where)
                           : tr("It is removed from %1. This cannot be undone.").arg(where));
  if (!row.servers.isEmpty()) {
    auto* servers = new TextLabel(row.servers.join('\n'), type::body_px, Tone::text2);
    servers->setObjectName("servers");
    add(servers);
  }
  note_->setObjectName("use");
  add(note_);
  typed_->setObjectName("typed");
  label_ = new TextLabel(tr("Type the title or the name \u201c%1\u201d to confirm").arg(name_), 12, Tone::text2);
  label_->setWordWrap(true);
  label_->setBuddy(typed_);
  add(label_);
  add(typed_);
  typed_->setAccessibleName(tr("Title or name of what is to be deleted"));
  add_buttons(tr("Delete"), tr("Cancel"));
  yes()->setObjectName("delete-for-good");
  yes()->setProperty("primary", {});
  yes()->setProperty("danger", true);
  connect(typed_, &QLineEdit::textChanged, this, &DeleteDialog::check);
  set_use({});
}

void DeleteDialog::set_use(const QString& use) {
  use_ = use;
  note_->say(State::warn, use);
  note_->setVisible(!use.isEmpty());
  label_->setVisible(use.isEmpty());
  typed_->setVisible(use.isEmpty());
  check();
  adjustSize();
}

void DeleteDialog::check() {
  const auto typed = typed_->text().trimmed();
  yes()->setEnabled(use_.isEmpty() && (typed == name_ || typed == title_.trimmed()));
}

void DeleteDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return Question::keyPressEvent(event);
  yes()->hasFocus() ? yes()->click() : reject();
}

}  // namespace lw
