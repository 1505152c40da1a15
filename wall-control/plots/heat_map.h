// A quantity of all flows, tiles or nodes over time: one row each, coloured by the worst sample of each moment. Rows
// are grouped by node, so that what has one cause lies together, or the worst is on top. Zero is the ground for counts,
// and the lowest colour for times; what was not measured is hatched.
#pragma once

#include "wall-control/plots/time_plot.h"

#include <QImage>

namespace lw {

enum class Rows : unsigned char { flows, tiles, nodes, worst_first };

class HeatMap : public TimePlot {
  Q_OBJECT

public:
  explicit HeatMap(const PlotSource& source, QWidget* parent = nullptr);

  void set_quantity(Quantity quantity);
  [[nodiscard]] Quantity quantity() const { return quantity_; }
  void set_rows(Rows rows);
  [[nodiscard]] Rows rows() const { return rows_; }
  // The scale above the map; a page that has room elsewhere draws it there.
  void set_scale_above(bool above);
  // Draws the scale with its ends and the hatching, right-aligned in `place`.
  void draw_scale(QPainter& painter, const QRect& place) const;
  [[nodiscard]] int scale_width() const;

  void collect() override;
  void draw(QPainter& painter) const override;
  [[nodiscard]] HoverText hover_at(QPointF place) const override;
  [[nodiscard]] QRect area() const override;
  // From the top.
  [[nodiscard]] QStringList row_names() const;

  [[nodiscard]] QSize minimumSizeHint() const override { return {260, 96}; }

signals:
  void scale_changed();

protected:
  void paintEvent(QPaintEvent* event) override;
  void draw_anew() override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

private:
  struct Row {
    QString name, tile, node;
    Part part;
    std::vector<std::size_t> lines;  // of `columns_`
    double top = 0, height = 0;      // in the area
    double worst = 0;
  };
  void make_rows();
  void place_rows();
  void color_column(qint64 column);
  void color_all();
  [[nodiscard]] Cell cell_of(const Row& row, qint64 column) const;
  [[nodiscard]] const Row* row_at(QPointF place) const;
  [[nodiscard]] double greatest() const;
  [[nodiscard]] bool is_selected(const Row& row) const;
  void describe();
  void draw_rows(QPainter& painter) const;
  void draw_labels(QPainter& painter) const;
  void draw_dimmed(QPainter& painter) const;

  Quantity quantity_ = Quantity::loss;
  Rows rows_ = Rows::flows;
  bool scale_above_ = true;
  ColumnRows columns_;
  std::vector<Row> shown_;
  QImage image_;    // where `columns_` keeps its columns
  double top_ = 1;  // of the colours
};

}  // namespace lw
