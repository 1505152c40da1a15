// Asks for title, tags and description of a visualization.
#pragma once

#include "common/messages/requests.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lw {

struct VisualizationRow;

class DescribeDialog : public QDialog {
  Q_OBJECT

public:
  explicit DescribeDialog(const VisualizationRow& row, QWidget* parent = nullptr);
  [[nodiscard]] DescribeRequest request() const;
  [[nodiscard]] QPushButton* save_button() const { return save_; }

private:
  QString name_;
  QLineEdit* title_ = nullptr;
  QLineEdit* tags_ = nullptr;
  QPlainTextEdit* description_ = nullptr;
  QPushButton* save_ = nullptr;
};

}  // namespace lw
