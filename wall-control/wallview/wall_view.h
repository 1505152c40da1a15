// The wall drawn to scale, bezels and all, with each tile's state in shape, words and colour.
#pragma once

#include "wall-control/models/flow_history.h"

#include <QJsonObject>
#include <QWidget>

namespace lw {

class WallView : public QWidget {
  Q_OBJECT

public:
  explicit WallView(const FlowHistory& history, QWidget* parent = nullptr);

  void set_wall(const QJsonObject& info);
  void set_connected(bool connected);
  void refresh();

  [[nodiscard]] QSize sizeHint() const override { return {560, 360}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {280, 160}; }

  // What a tile's state is called: also read out by screen readers and checked by tests.
  struct TileState {
    enum class Kind { playing, trouble, waiting, gone } kind = Kind::gone;
    QString headline;
    QString detail;
  };
  [[nodiscard]] TileState state_of(const TileRow& tile) const;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] QRectF rect_of(int column, int row) const;
  void draw_tile(QPainter& painter, const TileRow& tile) const;

  const FlowHistory& history_;
  QString name_;
  int columns_ = 0, rows_ = 0;
  int tile_width_ = 1, tile_height_ = 1;
  int bezel_x_ = 0, bezel_y_ = 0;
  bool connected_ = false;
};

}  // namespace lw
