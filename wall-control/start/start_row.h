// A wall of the start page: its grid as a small drawing, name, address, whether it is ready, and a button.
#pragma once

#include "wall-control/start/start_walls.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/state_shape.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lw {

// How an answer is shown.
struct AnswerWords {
  std::optional<State> shape;  // or an icon
  Icon icon = Icon::none;
  QString words;
  QString details;  // why the wall cannot be connected, and how to fix it; empty: it can
};
AnswerWords words_of(const std::optional<WallAnswer>& answer);

class StartRow : public QWidget {
  Q_OBJECT

public:
  explicit StartRow(QWidget* parent = nullptr);

  // `first`: the first one that is ready has the button that stands out.
  void show_wall(const StartWall& wall, bool first);

signals:
  void connect_wanted(const QString& address);

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void press();
  void draw_grid(QPainter& painter, const QRectF& place) const;

  StartWall wall_;
  AnswerWords shown_;
  QLabel* name_;
  QLabel* details_;
  QLabel* state_;
  QPushButton* button_;
};

}  // namespace lw
