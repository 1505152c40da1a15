// The flows of what the inspector shows, in few rows, the worst first. A row chosen by mouse or keyboard selects its
// flow.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QWidget>

#include <vector>

namespace lw {

class FlowRows : public QWidget {
  Q_OBJECT

public:
  static constexpr int rows_max = 8;

  explicit FlowRows(QWidget* parent = nullptr);

  struct Row {
    int flow = 0;
    std::optional<double> gbit_per_s, lost_per_s, resent_per_s, jitter_us;
    std::vector<float> loss;  // of two minutes
  };
  // All flows of the part; `selected`: a flow's number.
  void show_flows(const std::vector<const FlowRow*>& flows, std::optional<int> selected);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] int others() const { return others_; }  // not listed

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
  void chosen(int flow);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  void paint_row(QPainter& painter, const Row& row, int top) const;
  void move_to(int row);
  [[nodiscard]] std::array<int, 6> rights() const;

  std::vector<Row> rows_;
  std::optional<int> selected_;
  int others_ = 0;
};

}  // namespace lw
