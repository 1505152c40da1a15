// A quantity of all flows, or all tiles, over time: one row each, the worst on top, coloured by the greatest sample of
// each moment. One bad flow among hundreds is visible at once, and so is a moment at which all were bad.
#pragma once

#include "wall-control/plots/time_plot.h"

namespace lw {

class HeatMap : public TimePlot {
  Q_OBJECT

public:
  explicit HeatMap(const PlotSource& source, QWidget* parent = nullptr);

  void collect() override;
  void draw(QPainter& painter, bool titled) const override;
  // The value of the row at this height, at the moment at this place.
  [[nodiscard]] QString text_at(QPointF place) const override;

  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

protected:
  [[nodiscard]] QRectF area() const override;
  void show_choice() override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
  struct Row {
    SeriesLine line;
    std::vector<Column> columns;
    std::optional<double> worst;  // of the marked range
  };
  void describe();
  [[nodiscard]] const Row* row_at(QPointF place) const;
  void draw_rows(QPainter& painter) const;
  void draw_scale(QPainter& painter) const;

  std::vector<Row> rows_;  // the worst first
  double top_ = 1;         // of the colours
};

}  // namespace lw
