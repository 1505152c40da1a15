// One figure of the health strip: label, value, limit and the last minute. A click opens the figure.
#pragma once

#include "wall-control/models/health_figures.h"

#include <QAbstractButton>

namespace lw {

class FigureCell : public QAbstractButton {
  Q_OBJECT

public:
  explicit FigureCell(QWidget* parent = nullptr);

  // `aged`: the connection is lost, and the figure is that old.
  void show_figure(const HealthFigure& figure, const QString& aged);
  void show_sparkline(bool shown);
  [[nodiscard]] const HealthFigure& figure() const { return figure_; }
  // The text below the value.
  [[nodiscard]] QString context() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void paint_value(QPainter& painter, const QRect& place) const;
  [[nodiscard]] int margin() const;
  [[nodiscard]] QRect sparkline_place() const;

  HealthFigure figure_;
  QString aged_;
  bool sparkline_ = true;
};

}  // namespace lw
