// The button to play and pause: large, in the accent's colour, with the shape of what it will do. It is dimmed while
// the server has not done yet what was pressed.
#pragma once

#include <QToolButton>

namespace lw {

class PlayButton : public QToolButton {
  Q_OBJECT

public:
  explicit PlayButton(QAction* action, QWidget* parent = nullptr);
  void set_playing(bool playing);
  void set_waiting(bool waiting);
  [[nodiscard]] bool is_waiting() const { return waiting_; }
  [[nodiscard]] QSize sizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  bool playing_ = false;
  bool waiting_ = false;
};

}  // namespace lw
