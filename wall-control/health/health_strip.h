// The strip at the top of the window: whether the wall is healthy, in words, and by how much, in five figures. Its
// parts keep place and size whatever happens.
#pragma once

#include "wall-control/models/health.h"
#include "wall-control/models/problems.h"
#include "wall-control/ui/slow_refresh.h"

#include <QElapsedTimer>
#include <QWidget>

#include <array>

namespace lw {

class AnswerBlock;
class FigureCell;

class HealthStrip : public QWidget {
  Q_OBJECT

public:
  static constexpr int sparklines_from = 1440;  // width of the window

  // Both must outlive this.
  HealthStrip(const Health& health, const Problems& problems, QWidget* parent = nullptr);

  // Something may have changed; drawn at most 2.5 times a second.
  void refresh() { shown_.ask(); }
  // Draws at once: the connection changed, or another wall is shown.
  void refresh_now() { shown_.now(); }

signals:
  // The worst problem.
  void show_cause(const lw::Problem& problem);
  void acknowledge();
  void try_now();
  void figure_chosen(lw::Quantity quantity);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  void show_health();
  void show_answer(const std::vector<Problem>& problems);

  const Health& health_;
  const Problems& problems_;
  AnswerBlock* answer_;
  std::array<FigureCell*, HealthFigures::shown> cells_{};
  QElapsedTimer lost_;  // since the connection was lost
  SlowRefresh shown_{[this] { show_health(); }};
};

}  // namespace lw
