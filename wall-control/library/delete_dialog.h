// Asks for the name of a visualization before it is deleted, which cannot be undone. Return cancels.
#pragma once

#include "wall-control/ui/question.h"

class QLineEdit;

namespace lw {

struct VisualizationRow;
class StateNote;
class TextLabel;

class DeleteDialog : public Question {
  Q_OBJECT

public:
  explicit DeleteDialog(const VisualizationRow& row, QWidget* parent = nullptr);
  [[nodiscard]] QPushButton* delete_button() const { return yes(); }
  // Why it cannot be deleted now, in a sentence with the way out; empty: it can.
  void set_use(const QString& use);

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void check();

  QString name_, title_, use_;
  TextLabel* label_ = nullptr;  // of the field
  QLineEdit* typed_;
  StateNote* note_;
};

}  // namespace lw
