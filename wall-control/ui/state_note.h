// A block inside a panel that says a state in words, with its shape, on the soft ground of the state. Controls that
// belong to it are added to its layout.
#pragma once

#include "wall-control/ui/state_shape.h"

#include <QWidget>

namespace lw {

class StateNote : public QWidget {
public:
  StateNote(State state, const QString& words, QWidget* parent = nullptr);
  void say(State state, const QString& words);
  [[nodiscard]] const QString& words() const { return words_; }

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  [[nodiscard]] int text_height() const;
  void make_room();

  State state_;
  QString words_;
};

}  // namespace lw
