// Asks for title, tags and description of a visualization. Return in a field saves: it can be edited again.
#pragma once

#include "common/messages/requests.h"
#include "wall-control/ui/question.h"

class QLineEdit;
class QPlainTextEdit;

namespace lw {

struct VisualizationRow;

class DescribeDialog : public Question {
  Q_OBJECT

public:
  explicit DescribeDialog(const VisualizationRow& row, QWidget* parent = nullptr);
  [[nodiscard]] DescribeRequest request() const;
  [[nodiscard]] QPushButton* save_button() const { return yes(); }

protected:
  void changeEvent(QEvent* event) override;

private:
  void add_field(const QString& label, QWidget* field);
  void fit_fields();

  QString name_;
  QLineEdit* title_;
  QLineEdit* tags_;
  QPlainTextEdit* description_;
};

}  // namespace lw
