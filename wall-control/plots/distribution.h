// The distribution of a quantity over the chosen time: the share of the samples up to each value (the cumulative
// distribution function), with a line for each of the worst flows or tiles, or one for all together.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/models/line_summary.h"
#include "wall-control/models/time_window.h"

#include <QWidget>

namespace lw {

class Distribution : public QWidget {
  Q_OBJECT

public:
  static constexpr int lines_max = 8;

  explicit Distribution(QWidget* parent = nullptr);

  // `rows`: the worst first.
  void set(Quantity quantity, const std::vector<LineSummary>& rows, const SampleSpan& span, bool together);
  void draw(QPainter& painter, bool titled) const;
  [[nodiscard]] QString text_at(QPointF place) const;
  // Share of the samples of a line that do not exceed `value`.
  [[nodiscard]] double share_at(std::size_t line, double value) const;

  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 140}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Line {
    int index = 0;
    QString name;
    std::vector<float> samples;  // sorted
  };
  [[nodiscard]] QRectF area() const;
  void fit_axis();
  [[nodiscard]] double x_of(double value) const;
  void draw_axes(QPainter& painter) const;
  void draw_line(QPainter& painter, const Line& line) const;

  Quantity quantity_ = Quantity::jitter;
  std::vector<Line> lines_;
  double low_ = 0, top_ = 1;  // of the axis
};

}  // namespace lw
