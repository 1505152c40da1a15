// Quantities over time as lanes under one time axis. A lane shows the band from the least to the greatest line, their
// median, and at most three of the worst lines by name, or the sum of all lines. While it is live, the chart moves what
// is drawn and draws only the newest columns; a change of size, time, theme or scale draws all of it.
#pragma once

#include "wall-control/plots/time_plot.h"
#include "wall-control/ui/slow_refresh.h"

#include <QPixmap>

namespace lw {

struct Lane {
  Quantity quantity = Quantity::throughput;
  bool together = false;  // the sum of all lines, as one
  bool operator==(const Lane&) const = default;
};

class LaneChart : public TimePlot {
  Q_OBJECT

public:
  static constexpr std::size_t worst_max = 3;
  static constexpr int lane_gap = 10, shape_size = 12;  // in pixels
  static constexpr int edge = shape_size / 2 + 1;       // as far as the shape of an incident reaches beyond the plot
  struct Look {
    bool legend_above = true;  // otherwise in the gutter
    bool values = true;        // the newest, at the right
  };

  LaneChart(const PlotSource& source, std::vector<Lane> lanes, Look look, QWidget* parent = nullptr);

  void set_lanes(std::vector<Lane> lanes);
  [[nodiscard]] std::vector<Lane> lanes() const;
  // The lane whose worst lines all lanes show, so that a colour means the same line everywhere.
  void set_lead(Quantity quantity);
  [[nodiscard]] Quantity lead() const { return lead_; }
  // Of the lead, the worst first.
  [[nodiscard]] QStringList worst_names() const;
  // Of the lane that shows the quantity.
  [[nodiscard]] double top_of(Quantity quantity) const;
  // How often all of it was drawn.
  [[nodiscard]] int drawn_completely() const { return drawn_completely_; }

  void collect() override;
  void draw(QPainter& painter) const override;
  [[nodiscard]] HoverText hover_at(QPointF place) const override;
  [[nodiscard]] QRect area() const override;
  static QPen pen_of_rank(std::size_t rank);

  [[nodiscard]] QSize sizeHint() const override { return {620, 190}; }
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void draw_anew() override;

private:
  // Over all lines, in one column.
  struct Band {
    Cell all;
    float median = 0, sum = 0;
  };
  struct Drawn {
    Lane lane;
    ColumnRows rows;
    std::vector<Band> bands;  // where `rows` keeps its columns
    std::vector<std::size_t> worst;
    double top = 1;
    QString first_value, second_value, first_words, second_words;
    bool beyond = false;  // the limit
  };

  bool take(Drawn& drawn, ColumnRows::Update& update);
  void make_band(Drawn& drawn, qint64 column);
  [[nodiscard]] double greatest_of(const Drawn& drawn) const;
  bool rank_worst();
  [[nodiscard]] std::vector<std::size_t> worst_of(const Drawn& drawn) const;
  [[nodiscard]] const Band* newest_of(const Drawn& drawn) const;
  void say_values();
  void say(Drawn& drawn);
  void describe();
  void paint_all(Ink ink);
  void paint_newest(qint64 first);

  [[nodiscard]] QRect lane_rect(std::size_t lane) const;
  [[nodiscard]] int head() const;
  [[nodiscard]] QRegion moving() const;
  [[nodiscard]] double y_of(std::size_t lane, double value) const;
  [[nodiscard]] double x_of_column(qint64 column) const {
    return static_cast<double>(area().left() + column - first_column());
  }
  void draw_data(QPainter& painter, qint64 from, qint64 to, Ink ink) const;
  void draw_grid(QPainter& painter, double from_x, double to_x) const;
  void draw_band(QPainter& painter, std::size_t lane, qint64 from, qint64 to) const;
  template <class Value>
  void draw_line(QPainter& painter, std::size_t lane, qint64 from, qint64 to, Ink ink, const QColor& color,
                 std::size_t dash, const Value& value) const;
  [[nodiscard]] std::optional<double> shown_limit(std::size_t lane) const;
  void draw_limit(QPainter& painter, std::size_t lane) const;
  void draw_limit_label(QPainter& painter, std::size_t lane) const;
  void shade_incidents(QPainter& painter) const;
  void draw_incidents(QPainter& painter) const;
  void draw_gutter(QPainter& painter) const;
  void draw_legend(QPainter& painter) const;
  void draw_lane_legend(QPainter& painter, std::size_t lane, QRect place) const;
  void draw_values(QPainter& painter) const;

  Look look_;
  std::vector<Drawn> lanes_;
  Quantity lead_;
  QPixmap plot_;
  qint64 painted_to_ = 0;
  Ink painted_ink_ = Ink::live;
  int drawn_completely_ = 0;
  std::vector<float> scratch_;
  SlowRefresh values_{[this] { say_values(); }};
  QTimer settle_;  // a held chart is drawn again, antialiased
  qint64 ranked_at_ = 0;
};

}  // namespace lw
