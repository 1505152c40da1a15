// How many tiles are in each state, and how far they are apart.
#pragma once

#include "wall-control/models/health.h"

#include <QWidget>

#include <vector>

namespace lw {

class WallSummary : public QWidget {
  Q_OBJECT

public:
  explicit WallSummary(QWidget* parent = nullptr);

  struct Content {
    StateCounts counts;
    std::vector<double> skews_us;  // of the tiles, in the newest frame that all showed
    std::optional<double> limit_us;
    QString furthest;  // "2,11", if it is beyond the limit
    bool playing = false;
  };
  void show_content(Content content);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  void paint_title(QPainter& painter, int top, const QString& title, const QString& note) const;
  int paint_states(QPainter& painter, int top) const;
  void paint_skews(QPainter& painter, int top) const;

  Content content_;
};

}  // namespace lw
