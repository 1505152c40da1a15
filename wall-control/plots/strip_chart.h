// A quantity, chosen by the operator, of many flows or tiles over time. Each pixel column shows the least and the
// greatest sample in it, so that no spike is lost; gaps remain gaps. If there are many lines, the worst are drawn and
// the others are shown as an envelope.
#pragma once

#include "wall-control/plots/time_plot.h"

namespace lw {

class StripChart : public TimePlot {
  Q_OBJECT

public:
  static constexpr int lines_max = 8;

  StripChart(const PlotSource& source, Quantity quantity, QWidget* parent = nullptr);

  void set_hidden(int flow, bool hidden);
  void collect() override;
  void draw(QPainter& painter, bool titled) const override;
  [[nodiscard]] QString text_at(QPointF place) const override;

  [[nodiscard]] QSize sizeHint() const override { return {420, 130}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 84}; }

protected:
  [[nodiscard]] QRectF area() const override;
  void show_choice() override;

private:
  struct Line {
    SeriesLine line;
    std::vector<Column> columns;
    std::optional<double> worst;  // of the marked range
  };
  void sort_worst_first();
  void make_envelope();
  void draw_axis(QPainter& painter) const;
  void draw_envelope(QPainter& painter) const;
  void draw_line(QPainter& painter, const Line& line) const;
  [[nodiscard]] std::size_t lines_drawn() const { return std::min<std::size_t>(lines_.size(), lines_max); }
  [[nodiscard]] double y_of(double value) const;

  std::vector<int> hidden_;
  std::vector<Line> lines_;
  std::vector<Column> envelope_;  // of the lines that are not drawn
  int samples_ = 1;
  double top_ = 1;
};

}  // namespace lw
