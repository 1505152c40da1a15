// "Try the demo wall" on the start page.
#pragma once

#include "wall-control/start/card.h"
#include "wall-control/start/demo_wall.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace lw {

class DemoCard : public Card {
  Q_OBJECT

public:
  // `demo` must outlive this.
  explicit DemoCard(DemoWall& demo, QWidget* parent = nullptr);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void refresh();

  DemoWall& demo_;
  QLabel* about_;
  QLabel* note_;
  QPushButton* button_;
  QProgressBar* progress_;
};

}  // namespace lw
