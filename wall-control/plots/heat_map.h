// A quantity of all flows, or all tiles, over time: a row each, the worst above, coloured by the greatest sample of
// each moment. Where one of hundreds misbehaves it is seen at once, and so is a moment at which all did.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/quantity_choice.h"

#include <QWidget>

namespace lw {

class HeatMap : public QWidget {
  Q_OBJECT

public:
  explicit HeatMap(const FlowHistory& history, QWidget* parent = nullptr);

  void set_quantity(Quantity quantity) { choice_->choose(quantity); }
  [[nodiscard]] Quantity quantity() const { return choice_->chosen().quantity; }
  void set_seconds(int seconds);
  // Redraws with the newest samples.
  void refresh();
  // What the row at this height says of the moment at this place; empty beside the rows.
  [[nodiscard]] QString text_at(QPointF place) const;

  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Row {
    SeriesLine line;
    std::vector<Column> columns;
    double greatest = 0;
  };
  void show_choice();
  void collect();
  [[nodiscard]] QRectF area() const;
  void draw_rows(QPainter& painter) const;
  void draw_scale(QPainter& painter) const;

  const FlowHistory& history_;
  QuantityChoice* choice_;
  int seconds_ = 60;
  std::vector<Row> rows_;  // the worst first
  double top_ = 1;         // of the colours
};

}  // namespace lw
