// The distribution of a quantity over the chosen time: the share of the samples at or below each value (the cumulative
// distribution function), for at most three sets of samples, each with its p99. GUI thread.
#pragma once

#include "wall-control/models/quantity.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/hover_card.h"

#include <QWidget>

#include <vector>

namespace lw {

class Distribution : public QWidget {
  Q_OBJECT

public:
  static constexpr std::size_t curves_max = 3;
  struct Curve {
    QString name;
    std::vector<float> samples;  // sorted
  };

  explicit Distribution(QWidget* parent = nullptr);

  // `limit`: of the quantity; none: no line.
  void set(Quantity quantity, std::vector<Curve> curves, std::optional<double> limit);
  [[nodiscard]] const std::vector<Curve>& curves() const { return curves_; }
  // Of the axis, and of all figures that belong to it.
  [[nodiscard]] const AxisUnit& unit() const { return unit_; }
  void draw(QPainter& painter) const;
  // Below the plot, where no table has the names.
  void draw_legend(QPainter& painter) const;
  static int legend_height(std::size_t curves);
  [[nodiscard]] HoverText hover_at(QPointF place) const;
  [[nodiscard]] QString text_at(QPointF place) const { return hover_at(place).as_text(); }
  // Share of the samples of a curve that do not exceed `value`.
  [[nodiscard]] double share_at(std::size_t curve, double value) const;
  // With the unit: "30 µs".
  [[nodiscard]] QStringList tick_labels() const;
  [[nodiscard]] QRect area() const;

  [[nodiscard]] QSize minimumSizeHint() const override { return {220, 110}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  void fit_axis();
  [[nodiscard]] std::vector<double> tick_values() const;
  [[nodiscard]] double x_of(double value) const;
  [[nodiscard]] double value_at(double x) const;
  void draw_axes(QPainter& painter) const;
  void draw_curve(QPainter& painter, std::size_t curve) const;
  void draw_p99(QPainter& painter) const;

  Quantity quantity_ = Quantity::jitter;
  std::vector<Curve> curves_;
  std::optional<double> limit_;
  AxisUnit unit_;
  double low_ = 0, top_ = 1;  // of the axis
  bool logarithmic_ = false;
};

}  // namespace lw
