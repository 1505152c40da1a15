// In place of a list or chart without content: an icon, what is missing, why, and the one thing to do about it.
#pragma once

#include "wall-control/ui/icons.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lw {

class EmptyState : public QWidget {
  Q_OBJECT

public:
  explicit EmptyState(Icon meaning, QWidget* parent = nullptr);
  // No button without a text for it.
  void say(const QString& what, const QString& why, const QString& action = {});
  [[nodiscard]] QPushButton* button() const { return button_; }

signals:
  void wanted();  // the button was pressed

protected:
  void changeEvent(QEvent* event) override;

private:
  void show_icon();

  Icon meaning_;
  QLabel* icon_ = nullptr;
  QLabel* what_ = nullptr;
  QLabel* why_ = nullptr;
  QPushButton* button_ = nullptr;
};

}  // namespace lw
