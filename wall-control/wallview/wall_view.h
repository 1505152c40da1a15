// The canvas: the wall to scale with its bezels. Nothing is drawn on a healthy tile; the state of others lies in the
// bezel, with one badge at most. It zooms, and shows the selection that all views share.
#pragma once

#include "wall-control/models/focus.h"
#include "wall-control/models/health.h"
#include "wall-control/ui/slow_refresh.h"
#include "wall-control/wallview/minimap.h"
#include "wall-control/wallview/node_groups.h"
#include "wall-control/wallview/tile_previews.h"
#include "wall-control/wallview/wall_geometry.h"

#include <QRegion>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace lw {

class WallView : public QWidget {
  Q_OBJECT

public:
  // All must outlive this.
  WallView(const FlowHistory& history, const WallStatus& status, const Health& health, Focus& focus,
           TilePreviews& previews, QWidget* parent = nullptr);

  enum class Overlay : unsigned char { state, none };

  void set_wall(const WallInfo& wall);
  // A recorded session is shown, which has no previews.
  void set_recorded(bool recorded) { recorded_ = recorded; }
  void set_overlay(Overlay overlay);
  void refresh() { refreshed_.ask(); }

  [[nodiscard]] QSize sizeHint() const override { return {560, 360}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {280, 160}; }

  // The tile in words, with its state and figures.
  [[nodiscard]] QString words_of(int column, int row) const;
  [[nodiscard]] TileHealth health_of(const TileRow& tile) const { return health_.of(tile); }
  [[nodiscard]] const std::vector<TileRow>& tiles() const { return history_.tiles(); }
  // The tiles that are not healthy, worst first.
  [[nodiscard]] std::vector<const TileRow*> problems() const;
  void go_to_problem(int steps);

  [[nodiscard]] const TileRow* selected() const;
  void select(int column, int row);
  [[nodiscard]] const WallGeometry& geometry() const { return geometry_; }
  [[nodiscard]] QRectF rect_of(int column, int row) const { return geometry_.tile_rect(column, row); }
  void zoom(double factor);  // about the middle
  void fit();
  // The previews of the wall, to scale with bezels; null without any.
  [[nodiscard]] QImage image() const;

signals:
  void opened();                          // the selection: Enter, or a double click
  void menu_wanted(const QPoint& place);  // of the selected tile; on the screen
  void hovered(const QString& text);      // what is under the pointer; empty: nothing
  void zoom_changed();
  void problems_changed();

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

private:
  using Place = std::pair<int, int>;
  void take_figures();
  void find_problems();
  void lay_out();
  void view_changed();  // zoomed or panned
  void want_sizes();
  void preview_changed(int column, int row);
  void focus_moved();
  void describe();
  // Also what the board shows.
  void repaint_all();

  [[nodiscard]] const NodeGroup* bracket_at(const QPointF& place) const;
  [[nodiscard]] QRect bracket_area(const NodeGroup& group) const;
  [[nodiscard]] State state_of(const NodeGroup& group) const;
  [[nodiscard]] QString words_at(const QPointF& place) const;
  void hover(const QPointF& place);
  [[nodiscard]] bool is_own_key(const QKeyEvent& key) const;
  void move_selection(int columns, int rows);
  [[nodiscard]] QRect area_of(Place place) const;  // all that is painted for the tile
  [[nodiscard]] bool shows_line(const QRect& tile) const;
  [[nodiscard]] QRect line_area(const QRect& tile) const;
  [[nodiscard]] bool only_tiles(const QRegion& region) const;
  // Not between a change of the history's wall and set_wall().
  [[nodiscard]] bool has_faces() const { return !faces_.empty() && faces_.size() == history_.tiles().size(); }

  void paint_empty(QPainter& painter) const;
  void paint_ground(QPainter& painter) const;
  void paint_rulers(QPainter& painter) const;
  void paint_brackets(QPainter& painter) const;
  void paint_preview(QPainter& painter, const TileRow& tile, const TileHealth& health) const;
  void compose_board();
  void put_on_board(std::size_t face);
  void paint_board(QPainter& painter, const QRect& dirty);
  void paint_states(QPainter& painter, const QRegion& region) const;
  void paint_focus(QPainter& painter) const;
  void paint_node(QPainter& painter, const NodeGroup& group) const;
  void paint_map(QPainter& painter) const;

  struct Face {
    TileHealth health;
    bool has_preview = false;
  };
  const FlowHistory& history_;
  const WallStatus& status_;
  const Health& health_;
  Focus& focus_;
  TilePreviews& previews_;
  WallGeometry geometry_;
  std::vector<Face> faces_;            // of the history's tiles
  std::vector<int> face_at_;           // by row and column: the face, or -1
  std::vector<std::size_t> problems_;  // the faces that are not healthy, worst first
  std::vector<NodeGroup> groups_;
  Minimap map_;
  QImage board_;  // null: to be composed
  SlowRefresh refreshed_;
  QTimer repaint_soon_;
  QRegion changed_;  // previews that came meanwhile
  std::optional<Place> hovered_;
  std::optional<QPointF> panned_from_;
  bool map_held_ = false;
  bool recorded_ = false;
  bool has_brackets_ = false;
  bool shows_keyboard_ = false;
  Overlay overlay_ = Overlay::state;
  QString hover_words_;
};

}  // namespace lw
