// Below the canvas of a large wall: the tiles with problems, worst first, larger than on the canvas. A click selects.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/models/health.h"
#include "wall-control/wallview/tile_previews.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QToolButton;

namespace lw {

class WallView;

class ProblemStrip : public QWidget {
  Q_OBJECT

public:
  static constexpr std::size_t tiles_min = 64;  // of the wall; smaller ones are read on the canvas

  // All must outlive this.
  ProblemStrip(WallView& view, TilePreviews& previews, Focus& focus, QWidget* parent = nullptr);

  [[nodiscard]] QRect card(int index) const;  // the preview of the problem, from the first that is shown
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

private:
  struct Problem {
    int column = 0, row = 0;
    TileHealth health;
  };
  void take_problems();
  void show_selected();
  void want_previews();
  [[nodiscard]] int cards() const;  // that have room
  void paint_card(QPainter& painter, const QRect& place, const Problem& problem) const;

  WallView& view_;
  TilePreviews& previews_;
  Focus& focus_;
  std::vector<Problem> problems_;
  int first_ = 0;  // that is shown
  QTimer repaint_soon_;
  QToolButton* back_ = nullptr;
  QToolButton* forward_ = nullptr;
};

}  // namespace lw
