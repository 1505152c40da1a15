// "This computer" on the start page: asks wall-probe in the background, and shows what matters for a first wall.
#pragma once

#include "wall-control/start/computer_facts.h"

#include <QProcess>
#include <QTcpSocket>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace lw {

class ComputerStrip : public QWidget {
  Q_OBJECT

public:
  explicit ComputerStrip(QWidget* parent = nullptr);
  ~ComputerStrip() override;

  void check();
  void show_facts(const std::vector<ComputerFact>& facts);

protected:
  void changeEvent(QEvent* event) override;

private:
  void reserve_room();
  void check_port();
  void finish();

  QLabel* note_;
  QLabel* age_;
  QWidget* cells_room_;
  QGridLayout* grid_;
  std::vector<ComputerFact> facts_;
  std::vector<QWidget*> cells_;
  QProcess doctor_;
  QTcpSocket port_;
};

}  // namespace lw
