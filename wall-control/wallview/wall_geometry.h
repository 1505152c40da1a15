// Where the tiles are on the canvas: the wall to scale with its bezels, or blocks of its tiles beside each other,
// fitted into the place that it has or zoomed. The only code that knows how tiles are arranged. Pure arithmetic.
#pragma once

#include "common/messages/info.h"

#include <QPointF>
#include <QRect>

#include <optional>
#include <utility>
#include <vector>

namespace lw {

class WallGeometry {
public:
  static constexpr double zoom_max = 16;

  void set_wall(const WallInfo& wall);
  // Where the wall is seen. The fit follows; a zoomed wall keeps what is in the middle.
  void set_port(const QRectF& port);
  // Tiles that lie together, by column and row. The blocks lie beside each other, with room for a caption of this
  // height on the canvas below each; every tile is in one. Without blocks, the wall is shown as it is.
  using Block = std::vector<std::pair<int, int>>;
  void set_blocks(std::vector<Block> blocks, double caption);
  [[nodiscard]] QRectF block_rect(std::size_t block) const;  // on the canvas

  [[nodiscard]] bool empty() const { return columns_ == 0; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int rows() const { return rows_; }
  // Its tiles are described one by one: neither columns nor rows mean anything to people.
  [[nodiscard]] bool is_free() const { return !free_.empty(); }
  [[nodiscard]] const QRectF& port() const { return port_; }
  [[nodiscard]] double zoom() const { return zoom_; }
  [[nodiscard]] bool zoomed() const { return zoom_ > 1; }

  // Zooming in keeps the wall's point under `about`; zooming out also keeps the port filled, as far as the wall does.
  void zoom_about(const QPointF& about, double factor);
  void fit();
  void pan(const QPointF& by);
  // Pans no further than needed.
  void bring_into_view(const QRectF& place);
  void center_on(const QPointF& of_wall);

  // On the canvas.
  [[nodiscard]] QRectF wall_rect() const;
  [[nodiscard]] QRectF plate() const;  // the wall with the bezels around it
  [[nodiscard]] QRectF tile_rect(int column, int row) const;
  [[nodiscard]] QRect tile_pixels(int column, int row) const;  // the same in entire pixels
  [[nodiscard]] QRectF cells_rect(const QRect& cells) const;   // of neighbouring tiles
  [[nodiscard]] double gap() const;                            // the narrower bezel between two tiles
  [[nodiscard]] std::optional<std::pair<int, int>> tile_at(const QPointF& place) const;
  // The next tile so many steps to the right and down; the same one at the wall's edge.
  [[nodiscard]] std::pair<int, int> beside(const std::pair<int, int>& tile, int right, int down) const;
  // The columns and rows of which a part is in `place`, as a block.
  [[nodiscard]] QRect cells_in(const QRectF& place) const;

  // Between the canvas and the wall's own pixels.
  [[nodiscard]] QPointF to_wall(const QPointF& place) const { return (place - origin_) / scale(); }
  [[nodiscard]] QPointF from_wall(const QPointF& of_wall) const { return origin_ + of_wall * scale(); }
  [[nodiscard]] QSizeF wall_size() const;  // in its own pixels, with the blocks apart if there are some

private:
  [[nodiscard]] double scale() const { return fit_scale_ * zoom_; }
  [[nodiscard]] QPointF margin() const;                     // of the plate around the wall
  [[nodiscard]] QRectF place_of(const QRect& cells) const;  // of the wall as it is, in its own pixels
  void lay_blocks();
  void find_fit();
  // Within what is filled, or no further from it than `before`.
  void keep_filled(const std::optional<QPointF>& before);

  int columns_ = 0, rows_ = 0;
  double tile_width_ = 1, tile_height_ = 1, bezel_x_ = 0, bezel_y_ = 0;  // of free tiles, the largest
  std::vector<QRectF> free_;                                             // by column; empty for a grid
  QRectF port_;
  std::vector<Block> blocks_;
  double caption_ = 0;
  std::vector<QRectF> block_places_;  // in the wall's own pixels
  std::vector<QPointF> tile_places_;  // by row and column
  QSizeF blocks_size_;
  QSizeF picture_;  // of free tiles, in their own pixels
  double fit_scale_ = 1, zoom_ = 1;
  QPointF origin_;  // of the wall, on the canvas
};

}  // namespace lw
