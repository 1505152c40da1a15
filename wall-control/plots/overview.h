// The last hour of a quantity as a strip, the worst line of each moment, with the time shown as a window that can be
// dragged, and resized at its ends. GUI thread.
#pragma once

#include "wall-control/plots/time_plot.h"

namespace lw {

class Overview : public QWidget {
  Q_OBJECT

public:
  explicit Overview(const PlotSource& source, QWidget* parent = nullptr);

  void set_quantity(Quantity quantity);
  // Shows the newest samples, if the strip is visible.
  void refresh();
  [[nodiscard]] QRect area() const;
  // Where the time shown is.
  [[nodiscard]] QRectF window_rect() const;

  [[nodiscard]] QSize sizeHint() const override { return {600, 52}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {260, 52}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  enum class Grip : unsigned char { none, left, right, all };
  [[nodiscard]] ColumnGrid grid() const;
  [[nodiscard]] qint64 newest() const { return source_.history.times().count() - 1; }
  [[nodiscard]] double x_of(qint64 sample) const;
  [[nodiscard]] qint64 sample_at(double x) const;
  [[nodiscard]] Grip grip_at(QPointF place) const;
  void draw_strip();

  PlotSource source_;
  Quantity quantity_ = Quantity::jitter;
  ColumnRows columns_;
  QPixmap strip_;
  Grip grip_ = Grip::none;
  TimeWindow::Range grabbed_;
  qint64 grabbed_at_ = 0;
};

}  // namespace lw
