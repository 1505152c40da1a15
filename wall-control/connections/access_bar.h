// Below the connection line, when the operator must decide something before the program can connect: whether a
// certificate is the server's, or which token to use. Nothing waits for the answer.
#pragma once

#include "wall-control/link/control_link.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lw {

class AccessBar : public QWidget {
  Q_OBJECT

public:
  // `link` must outlive this. `is_kept` returns whether the wall at an address is saved.
  AccessBar(ControlLink& link, std::function<bool(const QString& address)> is_kept, QWidget* parent = nullptr);

signals:
  // For the server at `address`; `keep`: also for later runs.
  void token_given(const QString& address, const QString& token, bool keep);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void follow();
  void give_token();

  ControlLink& link_;
  std::function<bool(const QString& address)> is_kept_;
  QLabel* words_;
  QLineEdit* token_;
  QCheckBox* keep_;
  QPushButton* give_;
  QPushButton* believe_;
  QPushButton* close_;
};

}  // namespace lw
