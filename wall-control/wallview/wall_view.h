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
  // The tiles of each node together, and the nodes beside each other, instead of the wall as it is.
  void set_grouped(bool grouped);
  [[nodiscard]] bool grouped() const { return grouped_; }
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

  // The current one, if a tile or several are selected.
  [[nodiscard]] const TileRow* selected() const;
  [[nodiscard]] bool is_selected(int column, int row) const;
  [[nodiscard]] Focus::Tiles selection() const { return focus_.tiles(); }
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
  void arrange();
  void view_changed();  // zoomed, panned, or another overlay
  void want_sizes();
  void preview_changed(int column, int row);
  void focus_moved();
  void describe();
  // Also what the board shows.
  void repaint_all();

  [[nodiscard]] const NodeGroup* bracket_at(const QPointF& place) const;
  [[nodiscard]] bool has_bracket(const NodeGroup& group) const {
    return grouped_ || (group.alone && !geometry_.is_free());
  }
  [[nodiscard]] QRectF block_of(const NodeGroup& group) const;
  [[nodiscard]] QRect bracket_area(const NodeGroup& group) const;
  [[nodiscard]] State state_of(const NodeGroup& group) const;
  [[nodiscard]] QString words_at(const QPointF& place) const;
  void hover(const QPointF& place);
  [[nodiscard]] bool is_own_key(const QKeyEvent& key) const;
  void press_tile(Place tile, const QMouseEvent& event);
  void move_selection(int columns, int rows);
  // Selects the block of tiles from where the selection began to there.
  void extend_selection(Place to);
  void stretch_band(const QPointF& to);
  void select_band(bool add);
  [[nodiscard]] QRect area_of(Place place) const;  // all that is painted for the tile
  [[nodiscard]] bool shows_line(const QRect& tile) const;
  [[nodiscard]] QString line_of(const TileRow& tile) const;
  [[nodiscard]] QRect line_area(const QRect& tile) const;
  // Not between a change of the history's wall and set_wall().
  [[nodiscard]] bool has_faces() const { return !faces_.empty() && faces_.size() == history_.tiles().size(); }

  void paint_empty(QPainter& painter) const;
  void paint_ground(QPainter& painter) const;
  void paint_rulers(QPainter& painter) const;
  void paint_brackets(QPainter& painter) const;
  void paint_preview(QPainter& painter, const TileRow& tile, const TileHealth& health) const;
  void paint_face(QPainter& painter, std::size_t face) const;
  void compose_board();
  void put_on_board(std::size_t face);
  void put_brackets_on_board();
  void paint_board(QPainter& painter, const QRect& dirty) const;
  void paint_focus(QPainter& painter) const;
  void paint_node(QPainter& painter, const NodeGroup& group) const;
  void paint_map(QPainter& painter) const;
  [[nodiscard]] QRegion focus_area() const;  // all that paint_focus() paints for the selection
  [[nodiscard]] QRect label_area(const NodeGroup& group) const;

  struct Face {
    TileHealth health;
    QString line;  // below the tile; empty if it has no room
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
  QImage board_;     // null: to be composed
  QRegion focused_;  // of the selection that is painted
  SlowRefresh refreshed_;
  QTimer repaint_soon_;
  QRegion changed_;  // previews that came meanwhile
  std::optional<Place> hovered_;
  std::optional<QPointF> panned_from_;
  std::optional<Place> anchor_;        // the tile where the selection began
  std::optional<QPointF> pressed_at_;  // the left button
  std::optional<QRect> band_;          // which is drawn to select
  bool map_held_ = false;
  bool recorded_ = false;
  bool grouped_ = false;
  bool shows_keyboard_ = false;
  Overlay overlay_ = Overlay::state;
  QString hover_words_;
};

}  // namespace lw
