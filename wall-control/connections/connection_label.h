// In the status bar: the state of the connection as shape and words, and the address, with a lock if the traffic is
// encrypted. And the role that the server gives this program.
#pragma once

#include "wall-control/connections/connection.h"

#include <QWidget>

class QLabel;

namespace lw {

class ConnectionLabel : public QWidget {
  Q_OBJECT

public:
  // `connection` must outlive this.
  explicit ConnectionLabel(const Connection& connection, QWidget* parent = nullptr);

signals:
  void clicked();

protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void refresh();

  const Connection& connection_;
  QLabel* words_;
  QLabel* lock_;
  QLabel* address_;
};

// Hidden if the server reports no roles.
class RoleLabel : public QWidget {
  Q_OBJECT

public:
  explicit RoleLabel(const Connection& connection, QWidget* parent = nullptr);

private:
  void refresh();

  const Connection& connection_;
  QLabel* words_;
};

}  // namespace lw
