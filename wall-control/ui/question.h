// A dialog that asks one thing: the question as its title, the consequence, and verbs on the buttons. The safe answer
// is first in tab order, and Esc gives it. Nothing waits for the answer: open it with show(), and connect to
// accepted().
#pragma once

#include "wall-control/ui/icons.h"

#include <QDialog>

class QBoxLayout;
class QPushButton;

namespace lw {

class Question : public QDialog {
  Q_OBJECT

public:
  // Deleted when it is closed, unless the caller clears Qt::WA_DeleteOnClose.
  Question(Icon meaning, const QString& title, QWidget* parent);

  // Plain text below the title.
  void add_text(const QString& text);
  void add(QWidget* part, Qt::Alignment alignment = {});
  // The last thing to add. `yes` may be empty: the dialog then only informs.
  void add_buttons(const QString& yes, const QString& no);
  [[nodiscard]] QPushButton* yes() const { return yes_; }
  [[nodiscard]] QPushButton* no() const { return no_; }

private:
  QBoxLayout* content_;
  QPushButton* yes_ = nullptr;
  QPushButton* no_ = nullptr;
};

}  // namespace lw
