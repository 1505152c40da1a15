// Below the line of the connection, while the operator must say something before there can be one: whether a
// certificate is the server's, or with which token to come. Nothing waits for the answer.
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
  // `link` outlives this. `is_kept` tells whether the wall at an address is one of those that are kept.
  AccessBar(ControlLink& link, std::function<bool(const QString& address)> is_kept, QWidget* parent = nullptr);

signals:
  // For the server at `address`; `keep`: from one start to the next.
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
