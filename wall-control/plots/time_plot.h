// What all charts over time have in common: the shared time, part of the wall and notes; the time axis, the crosshair,
// a brush with handles that marks a time, zoom, and words for what is under the pointer. Data is drawn without
// antialiasing while it is live, so that a chart costs next to nothing ten times a second. GUI thread.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/models/time_window.h"
#include "wall-control/plots/column_rows.h"
#include "wall-control/plots/columns.h"
#include "wall-control/plots/hover_card.h"
#include "wall-control/plots/plot_notes.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

namespace lw {

// What charts look at. It must outlive them.
struct PlotSource {
  const FlowHistory& history;
  TimeWindow& window;
  Focus& focus;
  PlotNotes* notes = nullptr;  // none: no incidents, no limits, no shared crosshair
};

// How data is drawn: as hair lines ten times a second; antialiased in held charts and exports.
enum class Ink : unsigned char { live, still };

class TimePlot : public QWidget {
  Q_OBJECT

public:
  // Left of the samples, in pixels at the usual text size: titles, units, legends; the same in all charts.
  static constexpr int gutter = 142;

  TimePlot(const PlotSource& source, QWidget* parent);
  ~TimePlot() override;

  // Shows the newest samples, if the chart is visible.
  void refresh();
  // Takes the samples in, visible or not: for exports.
  virtual void collect() = 0;
  // All of it, antialiased.
  virtual void draw(QPainter& painter) const = 0;
  // Describes this place; empty outside the data.
  [[nodiscard]] virtual HoverText hover_at(QPointF place) const = 0;
  [[nodiscard]] QString text_at(QPointF place) const { return hover_at(place).as_text(); }
  // Where samples are drawn.
  [[nodiscard]] virtual QRect area() const = 0;
  // The moments that the axis names, for tests and descriptions.
  [[nodiscard]] QStringList tick_labels() const;
  // The text sizes of exports are in pixels: points would refer to the page.
  [[nodiscard]] static QFont font_of(double px, bool strong = false);

protected:
  [[nodiscard]] ColumnGrid grid() const;
  [[nodiscard]] qint64 last_sample() const { return source_.window.shown().last; }
  [[nodiscard]] qint64 first_column() const;
  [[nodiscard]] qint64 sample_at(double x) const;
  [[nodiscard]] double x_of(qint64 sample) const;
  [[nodiscard]] QString time_at(double x) const;
  struct Tick {
    double x;
    QString label;
  };
  [[nodiscard]] std::vector<Tick> ticks() const;
  // Where an incident begins and ends in the area; none if it is not in the time shown.
  [[nodiscard]] std::optional<std::pair<double, double>> reach_of(const Incident& incident) const;
  [[nodiscard]] const std::vector<Incident>& incidents() const;
  [[nodiscard]] std::optional<double> limit(Quantity quantity) const;

  // Labels below the area, "now" at its end while live.
  void draw_axis(QPainter& painter) const;
  void draw_mark(QPainter& painter) const;
  // The marked time with its handles, and the crosshair with its time.
  void draw_marks(QPainter& painter) const;
  void draw_focus(QPainter& painter) const;
  void draw_nothing(QPainter& painter) const;

  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  // Another theme or text size: everything is drawn again.
  virtual void draw_anew() { update(); }

  PlotSource source_;

private:
  [[nodiscard]] bool handle_key(const QKeyEvent& event);
  [[nodiscard]] std::optional<qint64> grabbed_at(double x) const;
  void draw_crosshair(QPainter& painter) const;
  void show_card();

  std::optional<qint64> anchor_;  // the end of the brush that stays
  bool dragged_ = false;
  QTimer rest_;
  QPointer<HoverCard> card_;
  QPointF pointer_;
};

}  // namespace lw
