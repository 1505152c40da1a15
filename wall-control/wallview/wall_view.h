// The wall drawn to scale, including bezels. Each tile has a preview of what it shows, its state as shape, words and
// colour, and as many of its figures as fit. A tile without a preview says why. One tile can be selected, with the
// mouse or the arrow keys.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/models/tile_figures.h"
#include "wall-control/models/tile_pictures.h"
#include "wall-control/models/wall_status.h"

#include <QWidget>

#include <map>
#include <optional>
#include <utility>

namespace lw {

class WallView : public QWidget {
  Q_OBJECT

public:
  // All must outlive this.
  WallView(const FlowHistory& history, const WallStatus& status, const TilePictures& pictures,
           QWidget* parent = nullptr);

  void set_wall(const WallInfo& wall);
  void set_connected(bool connected);
  // A recorded session is shown, which has no previews.
  void set_recorded(bool recorded) { recorded_ = recorded; }
  void refresh();

  [[nodiscard]] QSize sizeHint() const override { return {560, 360}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {280, 160}; }

  // The name of a tile's state: also read out by screen readers and checked by tests.
  struct TileState {
    enum class Kind { playing, trouble, pattern, waiting, gone } kind = Kind::gone;
    QString headline;
    QString detail;
  };
  [[nodiscard]] TileState state_of(const TileRow& tile) const;
  // Why the tile has no preview; empty if it has one.
  [[nodiscard]] QString no_picture_because(const TileRow& tile) const;

  [[nodiscard]] const TileRow* selected() const;
  void select(int column, int row);
  [[nodiscard]] QRectF rect_of(int column, int row) const;

signals:
  void selected_changed();
  void opened();                          // the selected tile: clicked, or Enter
  void closed();                          // Escape
  void menu_wanted(const QPoint& place);  // of the selected tile; on the screen

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

private:
  enum class Detail { shape, place, state, figures };  // each includes the ones before
  [[nodiscard]] Detail detail_of(const QRectF& area) const;
  [[nodiscard]] const TileRow* tile_at(const QPointF& place) const;
  [[nodiscard]] bool is_own_key(int key) const;
  [[nodiscard]] QString tool_tip(const TileRow& tile) const;
  void move_selection(int columns, int rows);
  void draw_tile(QPainter& painter, const TileRow& tile) const;
  const QImage& scaled(const TileRow& tile, const QImage& picture, QSize size) const;
  void draw_picture(QPainter& painter, const QRectF& area, const TileRow& tile, Detail detail) const;
  void draw_top(QPainter& painter, const QRectF& area, const TileRow& tile, const TileState& state,
                Detail detail) const;
  void draw_bottom(QPainter& painter, const QRectF& area, const TileRow& tile, const TileState& state,
                   Detail detail) const;
  void draw_selection(QPainter& painter, const QRectF& area) const;

  const FlowHistory& history_;
  const WallStatus& status_;
  const TilePictures& pictures_;
  struct Scaled {
    qint64 key = 0;  // of the preview
    QSize size;
    QImage image;
  };
  mutable std::map<std::pair<int, int>, Scaled> scaled_;  // as drawn last; by column and row
  int columns_ = 0, rows_ = 0;
  int tile_width_ = 1, tile_height_ = 1;
  int bezel_x_ = 0, bezel_y_ = 0;
  bool connected_ = false;
  bool recorded_ = false;
  std::optional<std::pair<int, int>> selected_;
};

}  // namespace lw
