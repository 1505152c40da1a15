// What all plots over time have in common: the shared time window and part of the wall, marking a range by mouse or
// keys, zoom, the moment pointed to, and words for what is under the mouse.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/models/time_window.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/quantity_choice.h"

#include <QWidget>

namespace lw {

// What plots look at. It must outlive them.
struct PlotSource {
  const FlowHistory& history;
  TimeWindow& window;
  Focus& focus;
};

class TimePlot : public QWidget {
  Q_OBJECT

public:
  TimePlot(const PlotSource& source, std::initializer_list<Scope> scopes, Quantity first, QWidget* parent);

  void set_quantity(Quantity quantity) { choice_->choose(quantity); }
  [[nodiscard]] Quantity quantity() const { return choice_->chosen().quantity; }
  // Shows the newest samples, if the plot is visible.
  void refresh();
  // Takes the samples in, visible or not; for screenshots.
  virtual void collect() = 0;
  // `titled`: names the quantity, where the window has a box to choose it.
  virtual void draw(QPainter& painter, bool titled) const = 0;
  // Describes this place; empty outside the plot.
  [[nodiscard]] virtual QString text_at(QPointF place) const = 0;

protected:
  // Where samples are drawn.
  [[nodiscard]] virtual QRectF area() const = 0;
  virtual void show_choice() = 0;
  void draw_title(QPainter& painter) const;
  void draw_marks(QPainter& painter) const;
  [[nodiscard]] const QuantityInfo& chosen() const { return choice_->chosen(); }
  [[nodiscard]] double head() const { return choice_->height() + 10; }
  [[nodiscard]] QuantityChoice& choice() const { return *choice_; }
  [[nodiscard]] SampleSpan shown_span() const;
  // The columns of the marked range, of `columns` over the time shown.
  [[nodiscard]] std::span<const Column> marked_of(const std::vector<Column>& columns) const;
  [[nodiscard]] qint64 sample_at(double x) const;
  [[nodiscard]] double x_of(qint64 sample) const;
  [[nodiscard]] QString time_at(double x) const;

  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

  PlotSource source_;

private:
  [[nodiscard]] bool handle_key(const QKeyEvent& event);

  QuantityChoice* choice_;
  std::optional<qint64> pressed_;
};

}  // namespace lw
