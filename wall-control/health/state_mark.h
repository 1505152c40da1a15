// The shape of a state as a widget.
#pragma once

#include "wall-control/ui/state_shape.h"

#include <QWidget>

namespace lw {

class StateMark : public QWidget {
  Q_OBJECT

public:
  // `px`: its side at the usual size of text.
  explicit StateMark(double px, QWidget* parent = nullptr);

  void set_state(State state);
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  double px_;
  State state_ = State::off;
};

}  // namespace lw
