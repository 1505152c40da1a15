// Where the time of the frames goes: a bar for each stage from disk to screen, beside the wall's median, up to the
// moment at which the frame is due on the screen.
#pragma once

#include "wall-control/models/stage_times.h"
#include "wall-control/ui/state_shape.h"

#include <QWidget>

namespace lw {

class Waterfall : public QWidget {
  Q_OBJECT

public:
  explicit Waterfall(QWidget* parent = nullptr);

  struct Content {
    StageRow here, wall;
    std::optional<double> on_screen_us;  // the playout delay
    std::optional<Stage> slow;           // where the time is lost
    State state = State::ok;             // of what is shown
  };
  void show_content(const Content& content);
  [[nodiscard]] bool is_empty() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Axis;
  [[nodiscard]] Axis axis() const;
  [[nodiscard]] double begin_of(Stage stage) const;
  void paint_axis(QPainter& painter, const Axis& axis) const;
  void paint_row(QPainter& painter, const Axis& axis, Stage stage, int top) const;
  void paint_bar(QPainter& painter, const Axis& axis, Stage stage, const QRect& row) const;
  void paint_legend(QPainter& painter, int top) const;

  Content content_;
};

}  // namespace lw
