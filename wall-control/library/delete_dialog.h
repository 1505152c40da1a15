// Asks twice before a visualization is deleted: first whether, then for its name.
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace lw {

struct VisualizationRow;

class DeleteDialog : public QDialog {
  Q_OBJECT

public:
  explicit DeleteDialog(const VisualizationRow& row, QWidget* parent = nullptr);
  [[nodiscard]] QPushButton* delete_button() const { return delete_; }

private:
  void go_on();

  QString name_;
  QStackedWidget* questions_ = nullptr;
  QLineEdit* typed_ = nullptr;
  QPushButton* delete_ = nullptr;
};

}  // namespace lw
