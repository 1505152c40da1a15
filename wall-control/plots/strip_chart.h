// A quantity, which the operator chooses, of many flows or tiles over the last seconds. Each pixel column shows the
// least and the greatest sample that falls into it, so that no spike is lost; gaps stay gaps. Many: the first few as
// lines, the others as their envelope.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/quantity_choice.h"

#include <QWidget>

namespace lw {

class StripChart : public QWidget {
  Q_OBJECT

public:
  static constexpr int lines_max = 8;

  StripChart(const FlowHistory& history, Quantity quantity, QWidget* parent = nullptr);

  void set_quantity(Quantity quantity) { choice_->choose(quantity); }
  [[nodiscard]] Quantity quantity() const { return choice_->chosen().quantity; }
  void set_seconds(int seconds);
  void set_hidden(int flow, bool hidden);
  // Redraws with the newest samples (unless paused by its owner, who then does not call it).
  void refresh() { update(); }

  [[nodiscard]] QSize sizeHint() const override { return {420, 130}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 84}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void show_choice();
  [[nodiscard]] std::vector<SeriesLine> shown_lines() const;
  void draw_series(QPainter& painter, const QRectF& area, const std::vector<Column>& columns, double top,
                   const QPen& pen) const;

  const FlowHistory& history_;
  QuantityChoice* choice_;
  int seconds_ = 60;
  std::vector<int> hidden_;
};

}  // namespace lw
