// A quantity of all flows, or all tiles, over time: a row each, the worst above, coloured by the greatest sample of
// each moment. Where one of hundreds misbehaves it is seen at once, and so is a moment at which all did.
#pragma once

#include "wall-control/plots/time_plot.h"

namespace lw {

class HeatMap : public TimePlot {
  Q_OBJECT

public:
  explicit HeatMap(const PlotSource& source, QWidget* parent = nullptr);

  void collect() override;
  void draw(QPainter& painter, bool titled) const override;
  // What the row at this height says of the moment at this place.
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
